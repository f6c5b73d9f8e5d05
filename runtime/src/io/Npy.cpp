//===- Npy.cpp - NumPy arrays in files -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header is a Python dictionary literal; `HeaderParser` accepts exactly the three keys that NumPy writes, in any
// order.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Npy.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/AtomicFiles.h"
#include <cstring>

using namespace gnn::rt;

namespace {

struct ElementCode {
  const char *code; // without the byte order
  ForeignElement element;
};

constexpr ElementCode elementCodes[] = {
    {"f2", ForeignElement::F16}, {"f4", ForeignElement::F32}, {"f8", ForeignElement::F64}, {"i1", ForeignElement::I8},
    {"i2", ForeignElement::I16}, {"i4", ForeignElement::I32}, {"i8", ForeignElement::I64}, {"u1", ForeignElement::U8},
    {"u2", ForeignElement::U16}, {"u4", ForeignElement::U32}, {"u8", ForeignElement::U64}, {"b1", ForeignElement::Bool},
};

class HeaderParser {
public:
  HeaderParser(Span<const char> text, size_t offset, const std::string &file) : text(text), base(offset), file(file) {}

  void parse(NpyHeader &header) {
    skipSpaces();
    expect('{');
    skipSpaces();
    while (!accept('}')) {
      parseEntry(header);
      skipSpaces();
      if (!accept(',')) {
        expect('}');
        break;
      }
      skipSpaces();
    }
    while (position + 1 < text.size())
      expect(' ');
    expect('\n');
    require(hasElement && hasOrder && hasShape, GNN_ERROR_DATA, file, ": the header lacks ",
            !hasElement ? "'descr'"
            : !hasOrder ? "'fortran_order'"
                        : "'shape'");
  }

private:
  [[noreturn]] void reject(const std::string &problem) const {
    fail(GNN_ERROR_DATA, file, ": byte ", base + position, " (header): ", problem);
  }

  char peek() const { return position < text.size() ? text[position] : '\0'; }
  bool accept(char wanted) {
    bool found = position < text.size() && text[position] == wanted;
    position += found;
    return found;
  }
  void expect(char wanted) {
    if (!accept(wanted))
      reject(wanted == '\n' ? "expected the end of the line" : std::string("expected `") + wanted + "`");
  }
  void skipSpaces() {
    while (accept(' ')) {
    }
  }

  std::string parseString() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      reject("expected a string");
    size_t begin = ++position;
    while (position < text.size() && text[position] != quote)
      ++position;
    std::string value(text.data() + begin, position - begin);
    expect(quote);
    return value;
  }

  int64_t parseInteger() {
    if (peek() < '0' || peek() > '9')
      reject("expected a non-negative integer");
    int64_t value = 0;
    for (; peek() >= '0' && peek() <= '9'; ++position)
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(peek() - '0'), &value))
        reject("the integer exceeds 64 bits");
    return value;
  }

  void once(bool &seen, const std::string &key) {
    if (std::exchange(seen, true))
      reject("the key '" + key + "' occurs twice");
  }

  void parseEntry(NpyHeader &header) {
    std::string key = parseString();
    skipSpaces();
    expect(':');
    skipSpaces();
    if (key == "descr") {
      once(hasElement, key);
      parseElement(header);
    } else if (key == "fortran_order") {
      once(hasOrder, key);
      header.columnMajor = peek() == 'T';
      for (const char *letter = header.columnMajor ? "True" : "False"; *letter; ++letter)
        expect(*letter);
    } else if (key == "shape") {
      once(hasShape, key);
      parseShape(header);
    } else {
      reject("unknown key '" + key + "'");
    }
  }

  void parseElement(NpyHeader &header) {
    if (peek() == '[')
      reject("structured arrays are not supported");
    std::string code = parseString();
    if (code.find('O') != std::string::npos)
      reject("'descr' is '" + code + "': arrays of Python objects are pickles, which are never read");
    bool ordered = !code.empty() && std::strchr("<>|=", code[0]);
    for (const ElementCode &known : elementCodes)
      if (ordered && code.compare(1, std::string::npos, known.code) == 0) {
        header.element = known.element;
        header.swapBytes = code[0] == '>' && foreignBytes(known.element) > 1;
        return;
      }
    reject("'descr' is '" + code + "', expected a bool, an integer or a real of 16 to 64 bits, such as '<f4'");
  }

  void parseShape(NpyHeader &header) {
    expect('(');
    skipSpaces();
    while (!accept(')')) {
      if (header.shape.size() == GNN_MAX_RANK)
        reject("'shape' has more than " + std::to_string(GNN_MAX_RANK) + " extents");
      header.shape.push_back(parseInteger());
      skipSpaces();
      if (accept(','))
        skipSpaces();
      else if (header.shape.size() == 1) // (5) is a number in Python
        expect(',');
      else if (peek() != ')')
        reject("expected `,` or `)`");
    }
  }

  Span<const char> text;
  size_t base, position = 0;
  const std::string &file;
  bool hasElement = false, hasOrder = false, hasShape = false;
};

} // namespace

NpyHeader gnn::rt::parseNpyHeader(Span<const char> start, uint64_t fileBytes, const std::string &file) {
  constexpr char magic[] = "\x93NUMPY";
  require(start.size() >= 10 && std::memcmp(start.data(), magic, 6) == 0, GNN_ERROR_DATA, file,
          ": byte 0: not a .npy file (no \\x93NUMPY and version)");
  auto byteAt = [&](size_t i) { return size_t(static_cast<unsigned char>(start[i])); };
  size_t major = byteAt(6), minor = byteAt(7);
  require(major >= 1 && major <= 3 && minor == 0, GNN_ERROR_DATA, file, ": byte 6: .npy version ", major, ".", minor,
          ", expected 1.0, 2.0 or 3.0");
  size_t preamble = major == 1 ? 10 : 12;
  require(start.size() >= preamble, GNN_ERROR_DATA, file, ": byte 8: the file ends within the header's length");
  size_t length = byteAt(8) + (byteAt(9) << 8);
  if (major > 1)
    length += (byteAt(10) << 16) + (byteAt(11) << 24);
  require(length + preamble <= maxNpyHeaderBytes, GNN_ERROR_DATA, file, ": byte 8: the header is ", length,
          " bytes long, the most that is read is ", maxNpyHeaderBytes - preamble);
  require(length + preamble <= start.size(), GNN_ERROR_DATA, file, ": byte 8: the header is ", length,
          " bytes long, but the file ends after ", start.size() - preamble);

  NpyHeader header{};
  HeaderParser(start.slice(preamble, length), preamble, file).parse(header);
  header.dataOffset = preamble + length;
  int64_t count = 0;
  try {
    count = countElements(header.shape, nativeElement(header.element));
  } catch (const gnn::Error &error) {
    fail(GNN_ERROR_DATA, file, ": 'shape': ", error.what());
  }
  header.dataBytes = size_t(count) * foreignBytes(header.element);
  require(fileBytes - header.dataOffset == header.dataBytes, GNN_ERROR_DATA, file, ": byte ", header.dataOffset,
          " (data): shape ", shapeText(header.shape), " needs ", header.dataBytes, " bytes, got ",
          fileBytes - header.dataOffset);
  return header;
}

Tensor gnn::rt::parseNpy(const FileBytes &bytes, const std::string &file) {
  NpyHeader header = parseNpyHeader(bytes.span(), bytes.size, file);
  size_t elementSize = foreignBytes(header.element);
  char *data = bytes.data + header.dataOffset;
  bool oneOrder = !header.columnMajor || header.shape.size() < 2;
  bool aligned = header.dataOffset % elementSize == 0;
  if (isNative(header.element) && !header.swapBytes && oneOrder && aligned)
    return Tensor::view(bytes.owner, data, nativeElement(header.element), header.shape);
  return copyForeign(data, header.element, header.swapBytes, header.shape,
                     contiguousStrides(header.shape, elementSize, header.columnMajor), file);
}

Tensor gnn::rt::readNpy(const std::string &path) { return parseNpy(readFile(path), path); }

std::string gnn::rt::npyHeader(uint32_t element, const std::vector<int64_t> &extents) {
  constexpr const char *codes[] = {"<f4", "<f8", "<i4", "<i8", "|b1"};
  std::string shape;
  for (int64_t extent : extents)
    shape += std::to_string(extent) + (extents.size() == 1 ? "," : ", ");
  if (extents.size() > 1)
    shape.resize(shape.size() - 2);
  std::string text =
      std::string("{'descr': '") + codes[element] + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  size_t total = (10 + text.size() + 1 + 63) / 64 * 64;
  text.resize(total - 10 - 1, ' ');
  std::string header("\x93NUMPY\x01\x00", 8);
  header += char((total - 10) & 255);
  header += char((total - 10) >> 8);
  return header + text + "\n";
}

void gnn::rt::writeNpy(const std::string &path, const Tensor &tensor, AtomicFiles &files) {
  const std::string header = npyHeader(tensor);
  files.write(path, {{header.data(), header.size()}, {static_cast<const char *>(tensor.data()), tensor.bytes()}});
}

void gnn::rt::writeNpy(const std::string &path, const Tensor &tensor, FileSystem &files) {
  AtomicFiles file(files);
  writeNpy(path, tensor, file);
  file.commit();
}
