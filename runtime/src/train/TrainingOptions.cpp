//===- TrainingOptions.cpp - The options of training ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/TrainingOptions.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/stream/StreamPlanner.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace gnn::rt {

namespace {

using namespace option;

constexpr const char *anyValue = "", *noValue = nullptr;

//===- Attributes of TrainingOptions.def ----------------------------------===//

/// Sets a member of a row.
template <auto member> struct Set { std::decay_t<decltype(std::declval<TrainingOption>().*member)> value; };
template <auto member> constexpr void set(TrainingOption &option, Set<member> with) { option.*member = with.value; }

using Help = Set<&TrainingOption::help>;
using Value = Set<&TrainingOption::value>;
using Choices = Set<&TrainingOption::choices>;
using AtLeast = Set<&TrainingOption::least>;
using AtMost = Set<&TrainingOption::most>;
using Commands = Set<&TrainingOption::commands>;
using Forgotten = Set<&TrainingOption::forgotten>;
constexpr Commands ofAll{Train | Evaluate | Predict | Plan | Time};
constexpr Set<&TrainingOption::isPath> isPath{true};
constexpr Set<&TrainingOption::choosesDefault> choosesDefault{true};
constexpr Set<&TrainingOption::decidesNumbers> decidesNumbers{true};
constexpr Set<&TrainingOption::isInConfig> inConfig{true};
constexpr void set(TrainingOption &option, Group group) { option.group = group; }
constexpr void set(TrainingOption &option, InRanks inRanks) { option.inRanks = inRanks; }

template <Resume resume> struct Noted { const char *note, *before = anyValue; };
using Kept = Noted<Resume::Kept>;
using Taken = Noted<Resume::Taken>;
using Filled = Noted<Resume::Filled>;
template <Resume resume> constexpr void set(TrainingOption &option, Noted<resume> noted) {
  option.resume = resume;
  option.note = noted.note;
  option.before = noted.before;
}

struct Field {
  const char *name;
  FieldMember member;
};
constexpr void set(TrainingOption &option, Field field) {
  option.field = field.name;
  option.fieldMember = field.member;
}

template <class... Attributes>
constexpr TrainingOption row(Type type, Member member, const char *flag, Attributes... attributes) {
  TrainingOption option{type, member, flag};
  (set(option, attributes), ...);
  return option;
}

constexpr TrainingOption table[] = {
#define FIELD(name)                                                                                                    \
  Field { #name, &gnn_trainer_options_t::name }
#define OPTION(TYPE, name, ...) row(Type::TYPE, &TrainingOptions::name, __VA_ARGS__),
#include "runtime/src/train/TrainingOptions.def"
#undef FIELD
};

/// A run that goes on, and ranks, must have what decides the numbers of a run. An option that checkpoints lack says
/// why.
constexpr bool isComplete(const TrainingOption &option) {
  const bool isForgotten = option.resume == Resume::Forgotten;
  return isForgotten == (option.forgotten[0] != 0) &&
         !(option.decidesNumbers && (isForgotten || option.inRanks == InRanks::Own));
}

constexpr bool areComplete() {
  for (const TrainingOption &option : table)
    if (!isComplete(option))
      return false;
  return true;
}
static_assert(areComplete(), "an option decides numbers, and checkpoints or ranks lack it");

//===- Rules --------------------------------------------------------------===//

enum class Kind { Needs, Excludes, Applies };
using FactMember = std::optional<bool> TrainingFacts::*;

/// An option, with a value if `value` is not null, or a fact. A value that ends in = or @ stands for all that begin so.
struct Term {
  constexpr Term() = default;
  template <class T>
  constexpr Term(T TrainingOptions::*option, const char *value = nullptr) : option(option), value(value) {}
  constexpr Term(FactMember fact) : fact(fact) {}

  Member option = static_cast<Flag TrainingOptions::*>(nullptr);
  const char *value = nullptr;
  FactMember fact = nullptr;
};

struct TermList {
  std::array<Term, 5> terms;
  size_t count;
  const Term *begin() const { return terms.data(); }
  const Term *end() const { return terms.data() + count; }
};

struct Rule {
  Kind kind;
  TermList terms, others;
  const char *reason;
};

// In this namespace the name of an option is the member that it is.
namespace rules {

#define OPTION(TYPE, name, ...) constexpr auto name = &TrainingOptions::name;
#include "runtime/src/train/TrainingOptions.def"

using Fact = TrainingFacts;
template <class... Each> constexpr TermList Terms(Each... each) { return {{Term(each)...}, sizeof...(each)}; }
template <class T> constexpr Term is(T TrainingOptions::*option, const char *value) { return {option, value}; }

constexpr Rule table[] = {
#define RULE(KIND, terms, others, reason) Rule{Kind::KIND, terms, others, reason},
#include "runtime/src/train/TrainingOptions.def"
};

} // namespace rules

/// Evaluates rules for the options and facts of one caller.
class RuleCheck {
public:
  RuleCheck(const TrainingOptions &options, const TrainingFacts &facts, const OptionSpelling &spelling)
      : options(options), facts(facts), spelling(spelling) {}

  void check(const Rule &rule) const {
    auto isTrue = [&](const Term &term) { return holds(term) == true; };
    auto isFalse = [&](const Term &term) { return holds(term) == false; };
    if (!std::all_of(rule.terms.begin(), rule.terms.end(), isTrue))
      return;
    if (rule.kind == Kind::Excludes) {
      const Term *other = std::find_if(rule.others.begin(), rule.others.end(), isTrue);
      if (other != rule.others.end())
        refuse(rule, " excludes " + textOf(*other));
    } else if (std::all_of(rule.others.begin(), rule.others.end(), isFalse)) {
      refuse(rule, (rule.kind == Kind::Needs ? " requires " : " only applies to ") + listOf(rule.others));
    }
  }

private:
  /// None for a fact that is not known.
  std::optional<bool> holds(const Term &term) const {
    if (term.fact)
      return facts.*term.fact;
    const TrainingOption &option = optionOf(term.option);
    if (!term.value)
      return isGiven(options, option);
    const std::string text = rt::textOf(options, option), value = term.value;
    const bool isPrefix = value.back() == '=' || value.back() == '@';
    return isPrefix ? text.compare(0, value.size(), value) == 0 : text == value;
  }

  std::string textOf(const Term &term) const {
    if (!term.fact) {
      const TrainingOption &option = optionOf(term.option);
      return spelling.of(option) + (!term.value           ? ""
                                    : holds(term) == true ? " " + rt::textOf(options, option)
                                                          : std::string(" ") + term.value);
    }
    const bool isTrue = holds(term) == true;
    if (term.fact == &TrainingFacts::links)
      return "models of links";
    if (term.fact == &TrainingFacts::epochs)
      return "a number of epochs";
    if (term.fact == &TrainingFacts::validation)
      return "validation results";
    if (term.fact == &TrainingFacts::caches)
      return "a plan of caches";
    if (term.fact == &TrainingFacts::severalRanks)
      return spelling.asFields ? "" : isTrue ? spelling.ranks : "several ranks (--ranks)";
    if (term.fact != &TrainingFacts::gpu && term.fact != &TrainingFacts::severalGpus)
      return "";
    if (isTrue)
      return (spelling.asFields ? "a model on " : "--device ") + facts.device;
    return term.fact == &TrainingFacts::gpu ? "GPU runs" : "several GPUs";
  }

  /// "a, b or c", and what of it the run is not.
  std::string listOf(const TermList &terms) const {
    std::vector<std::string> names;
    std::string state, list;
    for (const Term &term : terms) {
      if (const std::string name = textOf(term); !name.empty())
        names.push_back(name);
      if (term.fact == &TrainingFacts::links)
        state = " (" + facts.model + " scores no pairs)";
      if (term.fact == &TrainingFacts::validation)
        state = " (" + facts.noValidation + ")";
      if (term.fact == &TrainingFacts::gpu || term.fact == &TrainingFacts::severalGpus)
        state = (spelling.asFields ? " (the model is on " : " (this run uses --device ") + facts.device + ")";
    }
    for (size_t i = 0; i < names.size(); ++i)
      list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    return list + state;
  }

  [[noreturn]] void refuse(const Rule &rule, const std::string &what) const {
    bool isMismatch = false; // of options with a model or with data
    std::string subject;
    for (const TermList &terms : {rule.terms, rule.others})
      for (const Term &term : terms)
        isMismatch |=
            term.fact == &TrainingFacts::links || (term.fact == &TrainingFacts::validation && !spelling.asFields);
    for (const Term &term : rule.terms)
      if (const std::string name = textOf(term); !name.empty())
        subject += (subject.empty() ? "" : " with ") + name;
    fail(isMismatch ? GNN_ERROR_MISMATCH : GNN_ERROR_ARGUMENT, spelling.asFields ? "gnn_trainer_options_t: " : "",
         subject, what, *rule.reason ? ": " : "", rule.reason);
  }

  const TrainingOptions &options;
  const TrainingFacts &facts;
  const OptionSpelling &spelling;
};

/// Options whose numbers depend on each other.
void checkNumbers(const TrainingOptions &options, const OptionSpelling &spelling) {
  const int64_t ranks = options.ranks.value_or(1);
  require(!options.rank || *options.rank < ranks, GNN_ERROR_ARGUMENT, "--rank ", options.rank.value_or(0),
          " is not below --ranks ", ranks);
  const std::pair<const char *, Whole> counts[] = {
      {"--intervals", options.fanOuts.empty() ? options.intervals : Whole()}, {"--shares", options.shares}};
  for (const auto &[flag, count] : counts)
    require(!count || *count >= ranks, GNN_ERROR_ARGUMENT, flag, " ", count.value_or(0), " is less than ",
            spelling.ranks, " ", ranks, ": each rank has one at least");
}

//===- Options of C -------------------------------------------------------===//

void read(const TrainingOption &option, const char *text, const char *, TrainingOptions &options) {
  if (!text)
    return;
  if (option.type == Type::Texts)
    options.*std::get<Texts TrainingOptions::*>(option.member) = {text};
  else
    options.*std::get<Text TrainingOptions::*>(option.member) = text;
}
void read(const TrainingOption &option, int64_t number, int64_t none, TrainingOptions &options) {
  require(number == none || (number >= option.least && number <= option.most), GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: ", option.field, " is ", number, ", expected ", option.least,
          option.most == INT64_MAX ? " or more" : " to " + std::to_string(option.most), " (", none,
          ": as without the option)");
  if (number != none)
    options.*std::get<Whole TrainingOptions::*>(option.member) = number;
}
void read(const TrainingOption &option, uint64_t number, uint64_t none, TrainingOptions &options) {
  if (number != none)
    options.*std::get<Unsigned TrainingOptions::*>(option.member) = number;
}
void read(const TrainingOption &option, double number, double none, TrainingOptions &options) {
  if (none < 0 ? !(number < 0) : number != none)
    options.*std::get<Real TrainingOptions::*>(option.member) = number;
}

bool given(const Text &text) { return !text.empty(); }
bool given(const Texts &texts) { return !texts.empty(); }
bool given(Flag flag) { return flag; }
template <class T> bool given(const std::optional<T> &number) { return number.has_value(); }

std::string text(const Text &text) { return text; }
std::string text(Flag flag) { return flag ? "yes" : ""; }
std::string text(const Texts &texts) {
  std::string line;
  for (const std::string &each : texts)
    line += (line.empty() ? "" : " ") + each;
  return line;
}
template <class T> std::string text(const std::optional<T> &number) {
  return number ? nlohmann::json(*number).dump() : "";
}

} // namespace

std::string TrainingOption::longFlag() const {
  const std::string names = flag;
  return names.substr(names.find("--"));
}

std::string TrainingOption::configKey() const {
  std::string key = longFlag().substr(2);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

Span<const TrainingOption> trainingOptions() { return {table, std::size(table)}; }

const TrainingOption &optionOf(const Member &member) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const TrainingOption &each) { return each.member == member; });
  require(found != std::end(table), GNN_ERROR_INTERNAL, "a member of TrainingOptions is not in its table");
  return *found;
}

bool isGiven(const TrainingOptions &options, const TrainingOption &option) {
  return std::visit([&](auto member) { return given(options.*member); }, option.member);
}

std::string textOf(const TrainingOptions &options, const TrainingOption &option) {
  return std::visit([&](auto member) { return text(options.*member); }, option.member);
}

gnn_trainer_options_t noTrainerOptions() {
  gnn_trainer_options_t none{};
  none.size = sizeof none;
  none.learning_rate = none.weight_decay = -1;
  return none;
}

TrainingOptions trainingOptionsOf(const gnn_trainer_options_t &given) {
  const gnn_trainer_options_t none = noTrainerOptions();
  TrainingOptions options;
  for (const TrainingOption &option : table)
    if (*option.field)
      std::visit([&](auto member) { read(option, given.*member, none.*member, options); }, option.fieldMember);
  return options;
}

std::string OptionSpelling::of(const TrainingOption &option) const {
  return asFields ? option.field : option.longFlag();
}

void checkRules(const TrainingOptions &options, const TrainingFacts &facts, const OptionSpelling &spelling) {
  const RuleCheck check(options, facts, spelling);
  for (const Rule &rule : rules::table)
    check.check(rule);
  checkNumbers(options, spelling);
}

} // namespace gnn::rt
