//===- DiagnosticRenderer.cpp - Prints diagnostics --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three renderers of diagnostics: source windows, one line each, and JSON. Source text is untrusted: invalid UTF-8
// and control characters are replaced before they reach a terminal.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Diagnostics.h"
#include "compiler/Frontend/SourcePosition.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace gnnc;

namespace {

constexpr size_t maxLineLength = 240, maxMarkColumn = 960;

llvm::StringRef severity(const Diagnostic &diagnostic) { return isError(diagnostic.code) ? "error" : "warning"; }

//===----------------------------------------------------------------------===//
// Rich
//===----------------------------------------------------------------------===//

class RichRenderer {
public:
  RichRenderer(const llvm::SourceMgr &sources, llvm::raw_ostream &os, bool colour)
      : sources(sources), os(os), colour(colour) {}

  void render(const Diagnostic &diagnostic) {
    paint(isError(diagnostic.code) ? "1;31" : "1;33",
          severity(diagnostic).str() + "[" + codeName(diagnostic.code).str() + "]");
    paint("1", ": " + sanitize(diagnostic.message));
    os << '\n';
    gutter = gutterWidth(diagnostic);
    renderWindows(diagnostic);
    for (const std::string &note : diagnostic.notes) {
      margin(" = ");
      os << "note: " << sanitize(note) << '\n';
    }
    for (const Diagnostic::Help &help : diagnostic.helps)
      renderHelp(help);
    os << '\n';
  }

private:
  struct Mark {
    unsigned begin, end; // columns as shown, from 0
    llvm::StringRef text;
    bool primary;
  };

  void paint(llvm::StringRef style, llvm::StringRef text) {
    if (colour)
      os << "\x1b[" << style << 'm' << text << "\x1b[0m";
    else
      os << text;
  }
  void margin(llvm::StringRef text) {
    os.indent(gutter);
    paint("1;34", text);
  }

  unsigned gutterWidth(const Diagnostic &diagnostic) const {
    unsigned last = 1;
    for (const Diagnostic::Label &label : diagnostic.labels)
      last = std::max(last, locate(sources, label.range.Start).lineNumber);
    for (const Diagnostic::Help &help : diagnostic.helps)
      if (help.range.isValid())
        last = std::max(last, locate(sources, help.range.Start).lineNumber);
    return std::to_string(last).size();
  }

  /// One window a file, that of the primary label first; in each the lines that have labels, in order.
  void renderWindows(const Diagnostic &diagnostic) {
    std::vector<llvm::StringRef> files;
    for (const Diagnostic::Label &label : diagnostic.labels) {
      SourcePosition position = locate(sources, label.range.Start);
      if (llvm::is_contained(files, position.file))
        continue;
      files.push_back(position.file);
      margin(files.size() == 1 ? "--> " : "::: ");
      os << position.file << ':' << position.lineNumber << ':' << position.column << '\n';
      renderWindow(diagnostic, position.file);
    }
  }

  void renderWindow(const Diagnostic &diagnostic, llvm::StringRef file) {
    std::map<unsigned, std::vector<Mark>> lines;
    std::map<unsigned, llvm::StringRef> text;
    for (const Diagnostic::Label &label : diagnostic.labels) {
      SourcePosition position = locate(sources, label.range.Start);
      if (position.file != file)
        continue;
      text[position.lineNumber] = position.line;
      lines[position.lineNumber].push_back(mark(position, label));
    }
    margin(" |\n");
    unsigned previous = 0;
    for (auto &[number, marks] : lines) {
      if (previous && number > previous + 1)
        os << "...\n";
      renderLine(number, text[number], marks);
      previous = number;
    }
  }

  /// A label's columns in what is shown of its first line.
  Mark mark(const SourcePosition &position, const Diagnostic::Label &label) const {
    unsigned begin = displayWidth(position.line.take_front(position.byteInLine));
    size_t bytes = label.range.End.getPointer() - label.range.Start.getPointer();
    unsigned width = displayWidth(position.line.substr(position.byteInLine, bytes));
    const unsigned shown = displayWidth(position.line.take_front(maxLineLength));
    return {begin, std::max(begin + 1, std::min(begin + width, shown)), label.text, label.primary};
  }

  void numberedLine(unsigned number, llvm::StringRef text) {
    std::string digits = number ? std::to_string(number) : "";
    os.indent(gutter - digits.size());
    paint("1;34", digits + " | ");
    std::string shown = sanitize(text.take_front(maxLineLength));
    os << llvm::StringRef(shown).rtrim() << '\n';
  }

  /// The line, then rows of marks that do not overlap: the primary one is in the first.
  void renderLine(unsigned number, llvm::StringRef text, std::vector<Mark> &marks) {
    numberedLine(number, text);
    llvm::sort(marks, [](const Mark &a, const Mark &b) {
      return std::make_tuple(!a.primary, a.begin, a.end, a.text) < std::make_tuple(!b.primary, b.begin, b.end, b.text);
    });
    std::vector<std::vector<Mark>> rows;
    for (const Mark &mark : marks) {
      if (mark.begin > maxMarkColumn)
        continue;
      auto fits = [&](const std::vector<Mark> &row) {
        return llvm::all_of(row, [&](const Mark &other) { return mark.end <= other.begin || other.end <= mark.begin; });
      };
      auto row = llvm::find_if(rows, fits);
      (row == rows.end() ? rows.emplace_back() : *row).push_back(mark);
    }
    for (std::vector<Mark> &row : rows)
      renderMarks(row);
  }

  /// One row: the underlines with the last one's text beside them, then the other texts from right to left.
  void renderMarks(std::vector<Mark> &marks) {
    llvm::sort(marks, [](const Mark &a, const Mark &b) { return a.begin < b.begin; });
    margin(" | ");
    unsigned column = 0;
    for (const Mark &mark : marks) {
      os.indent(mark.begin - column);
      paint(mark.primary ? "1;31" : "1;34", std::string(mark.end - mark.begin, mark.primary ? '^' : '-'));
      column = mark.end;
    }
    os << (marks.back().text.empty() ? "" : " ") << sanitize(marks.back().text) << '\n';
    for (size_t i = marks.size() - 1; i-- > 0;) {
      if (marks[i].text.empty())
        continue;
      margin(" | ");
      os.indent(marks[i].begin) << sanitize(marks[i].text) << '\n';
    }
  }

  void renderHelp(const Diagnostic::Help &help) {
    paint("1;36", "help");
    os << ": " << sanitize(help.text) << '\n';
    if (!help.range.isValid())
      return;
    SourcePosition position = locate(sources, help.range.Start);
    size_t bytes = help.range.End.getPointer() - help.range.Start.getPointer();
    std::string changed = position.line.take_front(position.byteInLine).str() + help.replacement +
                          position.line.drop_front(std::min(position.line.size(), position.byteInLine + bytes)).str();
    margin(" |\n");
    numberedLine(position.lineNumber, changed);
    if (help.replacement.empty())
      return;
    margin(" | ");
    os.indent(displayWidth(position.line.take_front(position.byteInLine)));
    paint("1;32", std::string(displayWidth(help.replacement), bytes ? '~' : '+'));
    os << '\n';
  }

  const llvm::SourceMgr &sources;
  llvm::raw_ostream &os;
  bool colour;
  unsigned gutter = 1;
};

/// Where there is more to read, once for all.
void renderMore(const DiagnosticEngine &engine, llvm::raw_ostream &os) {
  std::set<DiagnosticCode> codes;
  for (const Diagnostic &diagnostic : engine.diagnostics())
    codes.insert(diagnostic.code);
  if (codes.empty())
    return;
  os << "more: gnnc explain " << (codes.size() == 1 ? codeName(*codes.begin()) : "CODE, of ");
  unsigned left = codes.size();
  for (DiagnosticCode code : codes)
    if (codes.size() > 1)
      os << codeName(code) << (--left > 1 ? ", " : left == 1 ? " or " : "");
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Short and JSON
//===----------------------------------------------------------------------===//

void renderShort(const Diagnostic &diagnostic, const llvm::SourceMgr &sources, llvm::raw_ostream &os) {
  if (!diagnostic.labels.empty()) {
    SourcePosition position = locate(sources, diagnostic.labels.front().range.Start);
    os << position.file << ':' << position.lineNumber << ':' << position.column << ": ";
  }
  os << severity(diagnostic) << ": " << sanitize(diagnostic.message) << " [" << codeName(diagnostic.code) << "]\n";
}

llvm::json::Object jsonPosition(const SourcePosition &position) {
  return llvm::json::Object{
      {"line", position.lineNumber}, {"col", position.column}, {"byte", static_cast<int64_t>(position.byte)}};
}

llvm::json::Object jsonSpan(llvm::SMRange range, const llvm::SourceMgr &sources) {
  SourcePosition start = locate(sources, range.Start);
  return llvm::json::Object{{"file", sanitize(start.file)},
                            {"start", jsonPosition(start)},
                            {"end", jsonPosition(locate(sources, range.End))}};
}

void renderJson(const Diagnostic &diagnostic, const llvm::SourceMgr &sources, llvm::raw_ostream &os) {
  llvm::json::Array spans, notes, helps, fixits;
  for (const Diagnostic::Label &label : diagnostic.labels) {
    llvm::json::Object span = jsonSpan(label.range, sources);
    span["label"] = sanitize(label.text);
    span["primary"] = label.primary;
    spans.push_back(std::move(span));
  }
  for (const std::string &note : diagnostic.notes)
    notes.push_back(sanitize(note));
  for (const Diagnostic::Help &help : diagnostic.helps) {
    helps.push_back(sanitize(help.text));
    if (help.range.isValid())
      fixits.push_back(llvm::json::Object{
          {"span", jsonSpan(help.range, sources)}, {"text", help.replacement}, {"applicability", "maybe"}});
  }
  os << llvm::json::Value(llvm::json::Object{{"code", codeName(diagnostic.code)},
                                             {"severity", severity(diagnostic)},
                                             {"message", sanitize(diagnostic.message)},
                                             {"spans", std::move(spans)},
                                             {"notes", std::move(notes)},
                                             {"helps", std::move(helps)},
                                             {"fixits", std::move(fixits)}})
     << '\n';
}

} // namespace

void gnnc::render(const DiagnosticEngine &engine, const llvm::SourceMgr &sources, llvm::raw_ostream &os,
                  DiagnosticFormat format, bool colour) {
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    switch (format) {
    case DiagnosticFormat::Rich:
      RichRenderer(sources, os, colour).render(diagnostic);
      break;
    case DiagnosticFormat::Short:
      renderShort(diagnostic, sources, os);
      break;
    case DiagnosticFormat::Json:
      renderJson(diagnostic, sources, os);
      break;
    }
  }
  if (format == DiagnosticFormat::Rich)
    renderMore(engine, os);
  if (engine.numSuppressed() && format != DiagnosticFormat::Json)
    os << engine.numSuppressed() << " more not shown\n";
}
