//===- Diagnostics.h - Errors and warnings of the front end -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics in the style of rustc: a code, a message, labelled ranges of the source, notes and a likely fix. The
// engine collects them; `render` prints them as text, one line each, or JSON. Codes are declared in
// DiagnosticCodes.def.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_DIAGNOSTICS_H
#define GNNC_FRONTEND_DIAGNOSTICS_H

#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace gnnc {

enum class DiagnosticCode {
#define DIAGNOSTIC(CODE, TITLE) CODE,
#include "compiler/Frontend/DiagnosticCodes.def"
};

/// `E0311`
llvm::StringRef codeName(DiagnosticCode code);
llvm::StringRef codeTitle(DiagnosticCode code);
std::optional<DiagnosticCode> parseCode(llvm::StringRef name);
inline bool isError(DiagnosticCode code) { return codeName(code).front() == 'E'; }

struct Diagnostic {
  struct Label {
    llvm::SMRange range;
    std::string text;
    bool primary;
  };
  /// The remedy: a sentence and, where it is known, the text that replaces a range (an empty range inserts it).
  struct Help {
    std::string text;
    llvm::SMRange range;
    std::string replacement;
  };

  DiagnosticCode code;
  std::string message;
  std::vector<Label> labels; // the first is the primary one, if the diagnostic is about a place at all
  size_t place = 0;          // the label that `at` describes: not the first if the place is in a library
  std::vector<std::string> notes;
  std::vector<Help> helps;

  /// The text of the label of the place.
  Diagnostic &at(const llvm::Twine &text);
  /// A secondary label; dropped if the range is not in any buffer.
  Diagnostic &label(llvm::SMRange range, const llvm::Twine &text);
  Diagnostic &note(const llvm::Twine &text);
  Diagnostic &help(const llvm::Twine &text);
  /// A help whose text replaces `range`; a help alone if the place is in a library.
  Diagnostic &fix(const llvm::Twine &text, llvm::SMRange range, const llvm::Twine &replacement);
};

/// Collects diagnostics. Reporting the same code and message at the same place twice (a layer instantiated twice) keeps
/// the first; past the limit, if there is one, errors are only counted.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(unsigned limit = 20) : limit(limit) {}

  /// `range` may be invalid: then the diagnostic is about the whole run. The reference is good until the engine dies.
  Diagnostic &report(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message);

  /// As `report`, for a place in a library: the primary label is `call`, the caller's code that led there.
  Diagnostic &reportAtCall(DiagnosticCode code, llvm::SMRange call, llvm::SMRange range, const llvm::Twine &message);
  /// Declares that the source `text` belongs to a library, which users do not change.
  void addLibrary(llvm::StringRef text) { libraries.push_back(text); }
  bool isInLibrary(llvm::SMLoc place) const;

  /// Drops what was reported.
  void clear();

  bool hasErrors() const { return errors != 0; }
  unsigned numErrors() const { return errors; }
  /// Errors that were found but not kept, because of the limit.
  unsigned numSuppressed() const { return suppressed; }
  const std::deque<Diagnostic> &diagnostics() const { return kept; }

  /// While one lives nothing is kept or counted: for evaluations that may fail.
  class Mute {
  public:
    explicit Mute(DiagnosticEngine &engine) : engine(engine) { ++engine.muted; }
    ~Mute() { --engine.muted; }
    Mute(const Mute &) = delete;
    Mute &operator=(const Mute &) = delete;

  private:
    DiagnosticEngine &engine;
  };
  bool isMuted() const { return muted != 0; }

private:
  unsigned limit;
  unsigned errors = 0, suppressed = 0, muted = 0;
  std::deque<Diagnostic> kept;
  std::vector<llvm::StringRef> libraries; // texts of whole sources
  std::set<std::tuple<DiagnosticCode, const char *, std::string>> seen;
  Diagnostic discarded;
};

enum class DiagnosticFormat { Rich, Short, Json };

/// Rich: source windows, `colour` with ANSI escapes. Short: `file:line:column: error: message [E0311]`. Json: one
/// object a line:
/// `{"code", "severity", "message", "spans": [{"file", "start": {"line", "col", "byte"}, "end", "label", "primary"}],
/// "notes", "helps", "fixits": [{"span", "text", "applicability"}]}`. Lines and columns count from 1, columns in code
/// points, bytes from 0.
void render(const DiagnosticEngine &engine, const llvm::SourceMgr &sources, llvm::raw_ostream &os,
            DiagnosticFormat format, bool colour = false);

} // namespace gnnc

#endif // GNNC_FRONTEND_DIAGNOSTICS_H
