"""Bugs that scripts/planted-bugs plants in a copy of the compiler, to see that the tests of this folder find each of them.

A bug is (name, file, correct text, planted text): the correct text occurs once in the file, and `BUG` in the planted one is true when the bug is
asked for. What each breaks has to change a number that a model computes, not merely the code that computes it. Those of
STREAM_BUGS are of graphs that are streamed, as gnn-smith --stream does; those of DEVICE_BUGS of several emulated GPUs, where gnn-verify --gpu --stream
has to fail. Those of RUNTIME_BUGS have also the test program, and the case in it, that has
to fail.
"""

ADJOINTS = "dialects/Gnn/IR/Adjoints.cpp"
AGGREGATORS = "dialects/Gnn/IR/Aggregators.cpp"
CANONICALIZE = "dialects/Gnn/IR/Canonicalize.cpp"
DECOMPOSE = "dialects/Gnn/Transforms/Decompose.cpp"
DIFFERENTIATE = "dialects/Gnn/Transforms/Differentiate.cpp"
HOIST = "dialects/Gnn/Transforms/Hoist.cpp"
REORDER = "dialects/Gnn/Transforms/Reorder.cpp"
STAR_FIELDS = "compiler/Kernels/FieldOps.cpp"
STAR_FOLDS = "compiler/Kernels/FoldOps.cpp"
STAR_IDS = "compiler/Kernels/FieldIds.cpp"
STAR_TILES = "compiler/Kernels/TileStates.cpp"
STAR_STATE = "compiler/Kernels/SweepState.cpp"
STAR_KERNEL = "compiler/Kernels/KernelEmitter.cpp"
STAR_MEMORY = "dialects/Star/Analysis/KernelMemory.cpp"
NCCL_EXCHANGE = "runtime/src/cuda/NcclExchange.cpp"
DEVICE_EXCHANGE = "runtime/src/stream/DeviceExchange.cpp"
RANK_OUTPUTS = "runtime/src/stream/RankOutputs.cpp"
RANK_SHARE = "runtime/src/stream/RankShare.cpp"
STAGE_RUNNER = "runtime/src/stream/StageRunner.cpp"
STREAM_WALK = "runtime/src/stream/StreamWalk.cpp"
STREAM_WORKER = "runtime/src/stream/StreamWorker.cpp"
TRANSFERS = "runtime/src/stream/Transfers.cpp"
IMPORT = "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.cpp"
MATH = "compiler/Conversion/MathExpansion/MathExpansion.cpp"

BUGS = [
    # Adjoints of elementwise ops
    ("gradient of abs has the sign of x > 0 everywhere", ADJOINTS,
     "adjoint.where(isNotZero, adjoint.neg(gradient))", "adjoint.where(isNotZero, BUG ? gradient : adjoint.neg(gradient))"),
    ("gradient of sqrt without the half", ADJOINTS, "adjoint.constant(getResult(), 0.5)", "adjoint.constant(getResult(), BUG ? 1.0 : 0.5)"),
    ("gradient of rsqrt without the half", ADJOINTS, "adjoint.constant(getResult(), -0.5)", "adjoint.constant(getResult(), BUG ? -1.0 : -0.5)"),
    ("gradient of sigmoid: y (2 - y)", ADJOINTS, "adjoint.mul(y, adjoint.sub(adjoint.constant(y, 1), y))",
     "adjoint.mul(y, adjoint.sub(adjoint.constant(y, BUG ? 2 : 1), y))"),
    ("gradient of tanh: 1 - y", ADJOINTS, "adjoint.sub(adjoint.constant(y, 1), adjoint.mul(y, y))",
     "adjoint.sub(adjoint.constant(y, 1), BUG ? y : adjoint.mul(y, y))"),
    ("gradient of log multiplies", ADJOINTS, "adjoint.addTo(getOperand(), adjoint.div(gradient, getOperand()));",
     "adjoint.addTo(getOperand(), BUG ? adjoint.mul(gradient, getOperand()) : adjoint.div(gradient, getOperand()));"),
    ("gradient of what is subtracted is not negated", ADJOINTS, "adjoint.addTo(getRhs(), adjoint.neg(gradient));",
     "adjoint.addTo(getRhs(), BUG ? gradient : adjoint.neg(gradient));"),
    ("gradient of the second factor takes that factor", ADJOINTS, "adjoint.addTo(getRhs(), adjoint.mul(gradient, getLhs()));",
     "adjoint.addTo(getRhs(), adjoint.mul(gradient, BUG ? getRhs() : getLhs()));"),
    ("gradient of a divisor takes the dividend", ADJOINTS, "adjoint.neg(adjoint.mul(share, getResult()))",
     "adjoint.neg(adjoint.mul(share, BUG ? getLhs() : getResult()))"),
    ("gradient of maximum goes to the smaller", ADJOINTS, "chosenAdjoint(adjoint, Predicate::Ge,", "chosenAdjoint(adjoint, BUG ? Predicate::Le : Predicate::Ge,"),
    ("gradient of pow keeps the exponent", ADJOINTS, "adjoint.sub(exponent, adjoint.constant(exponent, 1))",
     "adjoint.sub(exponent, adjoint.constant(exponent, BUG ? 0 : 1))"),
    ("gradient of select goes to the first whatever the condition", ADJOINTS,
     "Condition{condition, holds, Reach::Graph, /*isApplied=*/false}", "Condition{condition, holds, Reach::Graph, /*isApplied=*/BUG && holds}"),
    # Adjoints of shapes and aggregations
    ("gradient of concat takes the first slice for all", ADJOINTS, "    offset = *offset.add(fieldOf(operand).getDim(getDim()));",
     "    if (!BUG)\n      offset = *offset.add(fieldOf(operand).getDim(getDim()));"),
    ("gradient of max over a dimension goes to the least", ADJOINTS, "isa<MaxAttr>(getAggregator()) ? Extremum::Max : Extremum::Min",
     "isa<MaxAttr>(getAggregator()) != BUG ? Extremum::Max : Extremum::Min"),
    ("a parameter that edges use gets the gradient of the last use only", "dialects/Gnn/IR/AdjointBuilder.cpp",
     "sum = sum.value ? merge(sum, added) : added;", "sum = sum.value && !BUG ? merge(sum, added) : added;"),
    ("gradient of a filtered aggregation reaches edges that the filter leaves out", AGGREGATORS,
     "if (Value filter = aggregate.getFilter())\n    conditions", "if (Value filter = aggregate.getFilter(); filter && !BUG)\n    conditions"),
    ("weights of the loss are not scaled backward", DIFFERENTIATE, "adjoint.addTo(vertexLoss, weight,", "adjoint.addTo(vertexLoss, BUG ? mask : weight,"),
    # Aggregators
    ("max over no edges is 1", AGGREGATORS, "element.select(none, element.constant(state[0], 0), state[0])",
     "element.select(none, element.constant(state[0], BUG ? 1 : 0), state[0])"),
    ("ties of max go to the last edge", AGGREGATORS, "element.compare(max ? CmpFPredicate::UGT : CmpFPredicate::ULT, value, best)",
     "element.compare(BUG ? (max ? CmpFPredicate::UGE : CmpFPredicate::ULE) : max ? CmpFPredicate::UGT : CmpFPredicate::ULT, value, best)"),
    ("logsumexp scales the sum of the larger maximum", AGGREGATORS, "element.compare(CmpFPredicate::OGT, right[0], left[0])",
     "element.compare(BUG ? CmpFPredicate::OLT : CmpFPredicate::OGT, right[0], left[0])"),
    ("logsumexp forgets the maximum at the end", AGGREGATORS,
     "element.make<arith::AddFOp>(largest, element.make<math::LogOp>(state[1]))",
     "BUG ? element.make<math::LogOp>(state[1])\n"
     "                                      : element.make<arith::AddFOp>(largest, element.make<math::LogOp>(state[1]))"),
    # Decomposition
    ("softmax gives shares to edges that its filter leaves out", DECOMPOSE, "    if (op.getFilter())\n      share =", "    if (op.getFilter() && !BUG)\n      share ="),
    ("a filtered edge adds 1 to a sum", DECOMPOSE, "field.where(filter, op.getOperand(), neutral)", "field.where(filter, op.getOperand(), BUG ? 1.0 : neutral)"),
    ("cross entropy adds the shares of all labels", DECOMPOSE, "field.where(isLabel, share)", "BUG ? share : field.where(isLabel, share)"),
    ("the loss of several elements is their sum", DECOMPOSE, "return field.div(x, count);", "return BUG ? x : field.div(x, count);"),
    # Hoisting, reordering, canonicalisation
    ("a factor of the other end is pulled out of a sum", HOIST, "valueType.getKind() == end && isReadOrRepeated(value)",
     "(BUG ? getReadField(value) != Value() : valueType.getKind() == end) && isReadOrRepeated(value)"),
    ("pulling a factor out of a sum drops its filter", HOIST, "rest, op.getFilter(), op.getBy(),", "rest, BUG ? Value() : op.getFilter(), op.getBy(),"),
    ("reordering sum and product drops weights of edges", REORDER, "    if (scale)\n", "    if (scale && !BUG)\n"),
    ("reordering sum and product drops the filter", REORDER, "operand, aggregate.getFilter(),", "operand, BUG ? Value() : aggregate.getFilter(),"),
    ("moving a scale before a product drops it", REORDER, "Value scaled = Scaling::make(rewriter, op.getLoc(), scaling->number, x);",
     "Value scaled = BUG ? x : Scaling::make(rewriter, op.getLoc(), scaling->number, x);"),
    ("halves of a choice are merged the wrong way round", CANONICALIZE, "first.getCondition(), first.getThen(), second.getOtherwise()",
     "first.getCondition(), BUG ? second.getOtherwise() : first.getThen(), BUG ? first.getThen() : second.getOtherwise()"),
    ("x^2 becomes x", CANONICALIZE, "rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), op.getLhs());",
     "BUG ? rewriter.replaceOp(op, op.getLhs()) : void(rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), op.getLhs()));"),
    # Import
    ("a count is taken from the whole graph", IMPORT, "    return make<CountOp>(count, toward, value.relation);",
     "    return BUG ? make<DegreeOp>(count, toward == End::Source ? DegreeKind::Out : DegreeKind::In, value.relation)\n"
     "               : make<CountOp>(count, toward, value.relation);"),
    # Kernels
    ("edges that a filter leaves out change the state of max", STAR_KERNEL,
     "return fields.points.select(filter ? fields.element(filter, {}) : Value(), next, state);",
     "return BUG ? next : fields.points.select(filter ? fields.element(filter, {}) : Value(), next, state);"),
    ("segments of hubs are lost at their end", STAR_STATE, "return reduction.aggregator.buildMerge(b.builder(), b.loc(), ofLeft, ofRight);",
     "return BUG ? left(index, point) : reduction.aggregator.buildMerge(b.builder(), b.loc(), ofLeft, ofRight);"),
    ("spilled states of two reductions overlap", STAR_MEMORY, "bytes = *reduction.segmentOffset.back().add(size);",
     "bytes = BUG ? reduction.segmentOffset.back() : *reduction.segmentOffset.back().add(size);"),
    ("what is left of a row after whole vectors is not computed", STAR_TILES,
     "  sweepRange(from, end, 1, /*masked=*/true);", "  if (!BUG)\n    sweepRange(from, end, 1, /*masked=*/true);"),
    ("reshape takes the wrong element", STAR_FIELDS, "      position /= size;", "      position /= BUG ? 1 : size;"),
    ("the first of equal positions becomes the last", STAR_FOLDS,
     "return {b.min(state[0], b.select(hit, here, state[0]))};",
     "Value chosen = b.select(hit, here, state[0]);\n    return {BUG ? chosen : b.min(state[0], chosen)};"),
    ("dropout hashes another word", STAR_IDS, "  shifted(31);", "  shifted(BUG ? 30 : 31);"),
    ("dropout of a sparse input is keyed by the column in backward", STAR_IDS, "id = fields.ids.ofEnd(/*isDestination=*/true);",
     "id = BUG ? fields.ids.rowId() : fields.ids.ofEnd(/*isDestination=*/true);"),
    # Mathematical functions in f32
    ("exp has a wrong coefficient", MATH, "1.6666665459e-1, 5.0000001201e-1", "1.6666665459e-1, BUG ? 4.9e-1 : 5.0000001201e-1"),
    ("tanh has a wrong coefficient", MATH, "-3.33332819422e-1", "BUG ? -3.0e-1 : -3.33332819422e-1"),
    ("log has a wrong coefficient", MATH, "b.mulAdd(square, -0.5, small)", "b.mulAdd(square, BUG ? -0.45 : -0.5, small)"),
]

# Graphs in a spill file: what is read, computed and written beside each other.
STREAM_BUGS = [
    ("a step does not wait for the rows that it reads", STREAM_WORKER, "piece.loaded = piece.tickets;",
     "piece.loaded = BUG ? std::vector<Asked>() : piece.tickets;"),
    ("a call does not wait for its chunk", STREAM_WORKER, "loaded.insert(loaded.end(), tickets->begin(), tickets->end());",
     "if (!BUG)\n        loaded.insert(loaded.end(), tickets->begin(), tickets->end());"),
    ("a chunk is loaded over one that is at work", STREAM_WORKER,
     "at, [&](Piece &oldest) { lanes.awaitAll(oldest.tickets); });",
     "at, [&](Piece &oldest) { BUG && std::is_same_v<Piece, EdgePiece> ? oldest.tickets.clear() : lanes.awaitAll(oldest.tickets); });"),
    ("cols are loaded over those that are at work", STREAM_WORKER, "Piece &piece = ring.take(bytes, at, [&](Piece &oldest) {",
     "Piece &piece = ring.take(bytes, at, [&](Piece &oldest) {\n    if (BUG && std::is_same_v<Piece, ColPiece>)\n      oldest.tickets.clear();\n   "),
    ("rows are loaded over those that are to be written", STREAM_WORKER,
     "    at.rows->tickets.push_back(move(op, first, rows, rowsOf(at, op.tensor)));",
     "    const Asked moved = move(op, first, rows, rowsOf(at, op.tensor));\n    if (!BUG || kind == OpKind::ReadTable)\n      at.rows->tickets.push_back(moved);"),
    ("rows are read before they are written", TRANSFERS, "order, {there},",
     "order, BUG ? std::vector<Asked>() : std::vector<Asked>{there},"),
    ("rows are read when those of the interval before are written", TRANSFERS, "const Asked &there = storedOf(tensor, interval);\n  const size_t rowBytes",
     "const Asked &there = storedOf(tensor, BUG && interval > 0 ? interval - 1 : interval);\n  const size_t rowBytes"),
    ("a write is lost", TRANSFERS, "{ file.write(Spill::Tables, from, bytes, to); }",
     "{ file.write(Spill::Tables, from, BUG && first > 0 ? 0 : bytes, to); }"),
    ("rows of the interval before are loaded", STREAM_WORKER, "transfers.load(op, interval, first, rows, to);",
     "transfers.load(op, interval, BUG && interval > 0 ? intervals.begin(stage.type, interval - 1) : first, rows, to);"),
    ("LAST is a chunk too early", STREAM_WORKER, "(isLast ? GNN_SWEEP_LAST : 0)", "(isLast || (BUG && k + 2 == met.size()) ? GNN_SWEEP_LAST : 0)"),
    ("FIRST is missing from the second interval on", STREAM_WORKER, "(isFirst ? GNN_SWEEP_FIRST : 0)", "(isFirst && !(BUG && p > 0) ? GNN_SWEEP_FIRST : 0)"),
    ("totals of one interval are lost", STREAM_WORKER, "foldParts(total, sum, 2, !isLast)", "foldParts(total, sum, BUG ? 1 : 2, !isLast)"),
    ("cols are read of the first piece of the ring", STREAM_WORKER, "return transfers.memoryAt(cols.piece->at) + ",
     "return transfers.memoryAt(BUG ? layout.memory().cols.offset : cols.piece->at) + "),
    ("pairs are those of the run before", "runtime/src/stream/SpilledData.cpp", "!edges->isOf(binding.relation(of.first))",
     "!(BUG || edges->isOf(binding.relation(of.first)))"),
    ("rows that pairs end at are gathered of the first interval alone", STREAM_WORKER, "touched.forRanges(first, first + rows,",
     "touched.forRanges(first, BUG && first > 0 ? first : first + rows,"),
    ("a sweep over pairs does not wait for what is gathered", STREAM_WORKER, "if (areGathered && !pieces->gathered.empty())",
     "if (areGathered && !pieces->gathered.empty() && !BUG)"),
    ("a range of rows is lost", TRANSFERS, "wanted.push_back({first + begin, end - begin, to +",
     "wanted.push_back({first + begin, BUG && begin > 0 ? 0 : end - begin, to +"),
    ("a range of rows lies a row beside its place", TRANSFERS, "to + size_t(begin) * rowBytes});",
     "to + size_t(BUG && begin > 0 ? begin - 1 : begin) * rowBytes});"),
    ("rows are read that an earlier chunk needs", TRANSFERS,
     "(layout.grid().mayBePacked(s) || !layout.grid().isSelective(s, p, q)))",
     "(layout.grid().mayBePacked(s) || !layout.grid().isSelective(s, p, q) || (BUG && q > 0)))"),
    ("original ids of cols are those of the first interval", STREAM_WORKER, "transfers.ids(s, colType, q, layout.memory().steps[s].makesColIds",
     "transfers.ids(s, colType, BUG ? 0 : q, layout.memory().steps[s].makesColIds"),
    ("edges of a chunk count from 0 in their rows", "runtime/src/stream/Chunks.cpp", "  if (k == 0 && j == 0)\n    return void(",
     "  if ((k == 0 && j == 0) || BUG)\n    return void("),
    ("numbers of an edge by source are those of another of its chunk", "runtime/src/stream/Chunks.cpp", "places[here[i]] = there[i];",
     "places[here[i]] = there[BUG ? there.size() - 1 - i : i];"),
    ("what is in memory as a whole gives its place away after the step, not after the stage", "runtime/src/stream/ScheduleSizes.cpp",
     "schedule.stageOf(last).end - 1,", "BUG ? last : schedule.stageOf(last).end - 1,"),
    ("edges in memory come by types first, those in chunks by intervals", "runtime/src/stream/EdgeRows.cpp", "return a.interval < b.interval;",
     "return !BUG && a.interval < b.interval;"),
    ("edges in memory are those of the interval before", "runtime/src/stream/EdgeRows.cpp", "first[size_t(p - ours.begin)];",
     "first[size_t(p - ours.begin - (BUG && p > ours.begin))];"),
]

# Graphs over several ranks: what they compute and what they send each other.
RANK_BUGS = [
    ("rows that others read stay where they are", RANK_OUTPUTS, "return (useOf(program, tensor).accesses & ~(1u << GNN_ACCESS_ROW)) != 0 ||",
     "return (!BUG && (useOf(program, tensor).accesses & ~(1u << GNN_ACCESS_ROW)) != 0) ||"),
    ("totals over edges depend on the tables in memory", "runtime/src/stream/StageSchedule.cpp", "if (step.isSumOfEdges() ||",
     "if ((step.isSumOfEdges() && !BUG) ||"),
    ("numbers of edges lie in the order in which they come", RANK_SHARE, "std::memcpy(at(first + i), here +",
     "std::memcpy(BUG ? table + size_t(first + i) * rowBytes : at(first + i), here +"),
    ("edges of ranks are counted in the other direction", RANK_SHARE, "relation.csr(edges.second).offsets;",
     "relation.csr(BUG ? !edges.second : edges.second).offsets;"),
    ("rows of others are written over those of this rank", RANK_SHARE, "const Range range = rangeOf(receive.from);",
     "const Range range = rangeOf(BUG ? comm.rank() : receive.from);"),
    ("the sum of all ranks is lost but in the last", RANK_SHARE, "receives.push_back({last, total});",
     "receives.push_back({last, {BUG ? new char[total.size()] : total.data(), total.size()}});"),
    ("each rank begins its sums anew", RANK_SHARE,
     "worker.foldParts(total, worker.totalOf(total, mine.begin - before), mine.end - mine.begin + before);",
     "worker.foldParts(total, worker.totalOf(total, mine.begin - (BUG ? 0 : before)), mine.end - mine.begin + (BUG ? 0 : before));"),
    ("a result has the rows of this rank alone", RANK_SHARE, "complete.insert(tensor).second)", "complete.insert(tensor).second && !BUG)"),
    ("a result has the rows that others had in the run before", STAGE_RUNNER, "  if (share)\n    share->begin();", "  if (share && !BUG)\n    share->begin();"),
    ("an interval is nobody's", STAGE_RUNNER, "for (int64_t i = 0; i < some; ++i)", "for (int64_t i = BUG; i < some; ++i)"),
]

# Graphs over several GPUs: what these give on to each other, and who waits for it. Batches on one and on two.
DEVICE_BUGS = [
    ("a total is sent to all before its fold", DEVICE_EXCHANGE, "layout.tableBytes(total.tensor), folded);",
     "layout.tableBytes(total.tensor), BUG ? Asked() : folded);"),
    ("rows are given on before they are there", TRANSFERS, "lanes.copyFrom(other.lanes, {there.pieces[k++]},",
     "lanes.copyFrom(other.lanes, BUG ? std::vector<Asked>() : std::vector<Asked>{there.pieces[k++]},"),
    ("all pieces of rows are given on when the first is there", TRANSFERS, "{there.pieces[k++]}, to", "{there.pieces[BUG ? 0 * k++ : k++]}, to"),
    ("rows are loaded over those that another device takes", STREAM_WORKER, "      there.tickets.push_back(loaded.pieces.back());",
     "      if (!BUG)\n        there.tickets.push_back(loaded.pieces.back());"),
    ("rows are sent that the loader alone needs", STREAM_WALK, "sharedRows(s).marks(turn.sharing, turn.cols)",
     "sharedRows(s).marks(BUG ? std::vector<int64_t>{turn.sharing[0]} : turn.sharing, turn.cols)"),
    ("of a file the rows are read that the loader's edges touch", TRANSFERS, "const RowMarks &marks = shared ? *shared : found;",
     "const RowMarks &marks = shared && !BUG ? *shared : found;"),
    ("what is to lie below memory is written before the GPU has copied it", TRANSFERS, "    copied.ticket.await();",
     "    if (!BUG)\n      copied.ticket.await();"),
    ("a rank sends sums that its GPU had before", RANK_SHARE, "engine.copyOut(here[i].data(), places[i], here[i].size())",
     "engine.copyOut(here[i].data(), places[i], BUG ? 0 : here[i].size())"),
    ("sums of other ranks don't reach the GPU", RANK_SHARE, "engine.copyIn(places[i], here[i].data(), here[i].size())",
     "engine.copyIn(places[i], here[i].data(), BUG ? 0 : here[i].size())"),
    ("rows of other ranks come to the beginning of a GPU's table", RANK_SHARE, "engine.copyIn(table + size_t(row) * there,",
     "engine.copyIn(table + size_t(BUG ? 0 : row) * there,"),
    ("numbers of edges of other ranks don't reach the GPU", RANK_SHARE, "    engine.copyIn(place, table, copied.size());",
     "    if (!BUG)\n      engine.copyIn(place, table, copied.size());"),
    ("steps read a batch before it is there", "runtime/src/sample/SentBatch.cpp", "  engine.transferBy(Queue::Work, [] {}, {sent});",
     "  if (!BUG)\n    engine.transferBy(Queue::Work, [] {}, {sent});"),
    ("a row that is kept is that of another vertex", "runtime/src/sample/HotRows.cpp", "places[size_t(rows[i])] = firsts.back() + uint32_t(i);",
     "places[size_t(rows[i])] = firsts.back() + uint32_t(BUG ? rows.size() - 1 - i : i);"),
    ("rows of all GPUs are looked for in the memory of the first", "runtime/src/sample/HotRows.cpp", "ofEngines[e].memory->data()) + ofEngines[e].offsets[t], ofTables[t].firsts[e]});",
     "ofEngines[BUG ? 0 : e].memory->data()) + ofEngines[e].offsets[t], ofTables[t].firsts[e]});"),
    ("another GPU has the parameters of the step before", "runtime/src/sample/Sampled.cpp", "engine.copyIn(parameter.there->data(), parameter.from, parameter.bytes);",
     "engine.copyIn(parameter.there->data(), parameter.from, BUG ? 0 : parameter.bytes);"),
    ("a share is computed twice", "runtime/src/sample/Sampled.cpp", "->open(sampler, shares, shares.ours(d, engines.size()),",
     "->open(sampler, shares, shares.ours(BUG ? 0 : d, engines.size()),"),
    ("rows that were sent are looked for among those that are kept", "runtime/src/sample/SentBatch.cpp", "places[row] = hot->numKept(t) + uint32_t(of.numSent);",
     "places[row] = (BUG ? 0 : hot->numKept(t)) + uint32_t(of.numSent);"),
]

# The seam of engines and executors.
RUNTIME_BUGS = [
    ("a prepared view is stale: its edges are others now", "runtime/src/cpu/SweepStep.cpp", "const bool isKnown = planned == content;",
     "const bool isKnown = planned == content || (BUG && planned);", "runtime-test", "programs in chunks*"),
    ("a capacity stays that of the first view", "runtime/src/exec/LocalRows.cpp", "    fit(here.capacity, hasStored(here)",
     "    fit(here.capacity, BUG && here.capacity ? here.capacity : hasStored(here)", "interface-test", "answers for some vertices are*"),
    ("a ticket is not awaited", "runtime/src/engine/Queues.cpp", "    after[i]->issue();\n", "    if (!BUG)\n      after[i]->issue();\n",
     "runtime-test", "random graphs of tickets*"),
    ("a stream does not await the event of a ticket", "runtime/src/cuda/DeviceQueues.cpp", "    gpu->await(ofStream->handle(), streamOf(queue));",
     "    if (!BUG)\n      gpu->await(ofStream->handle(), streamOf(queue));", "device-runtime-test", "queues of a device*"),
    ("a device does not await the event of another", "runtime/src/cuda/Device.cpp", "check(driver.streamWait(on, ready, 0), \"waiting\");",
     "if (!BUG)\n    check(driver.streamWait(on, ready, 0), \"waiting\");", "device-runtime-test", "devices await each other*"),
    ("a total forgets its last slot", "runtime/src/cpu/SlotFolds.cpp", "for (int64_t s = 0; s < numSlots; ++s) {",
     "for (int64_t s = 0; s < numSlots - (BUG && numSlots > 1); ++s) {", "runtime-test", "programs in chunks*"),
    ("checksums of edges in a file are not looked at", "runtime/src/graph/EdgeFile.cpp", "require(checksum({bytes.data(), parts.end}) == ",
     "require(BUG || checksum({bytes.data(), parts.end}) == ", "runtime-test", "edges in a file are checked*"),
    ("what is left of a frame is sent from its beginning", "runtime/src/comm/SocketComm.cpp", "    lane.sent += ofBytes;\n",
     "    lane.sent += BUG && lane.outLeft > 0 ? 0 : ofBytes;\n", "gnn-train-test", "all ranks may send much at once*"),
    ("an exchange by NCCL is taken for over before it has come to the GPU", NCCL_EXCHANGE, "if (!isAsked())", "if (!isAsked() && !BUG)",
     "device-runtime-test", "rows go from GPU to GPU*"),
    ("nobody listens to other ranks while NCCL waits", NCCL_EXCHANGE, "isDone, [&] { comm.hear(ranks, what); }",
     "isDone, [&] {\n      if (!BUG)\n        comm.hear(ranks, what);\n    }",
     "device-runtime-test", "a rank that ends while others wait for it by NCCL*"),
    ("one table is taken for another", "runtime/src/comm/SocketComm.cpp", "frame.tag == topicTag &&", "(frame.tag == topicTag || BUG) &&",
     "gnn-train-test", "ranks that do not do the same*"),
    ("an edge that is drawn of a kept row is the next one", "runtime/src/sample/FiledEdges.cpp", "const auto from = size_t(begin + chosen.places[edge] - first);",
     "const auto from = size_t(begin + chosen.places[edge] - first) ^ size_t(BUG);", "runtime-test", "samples of edges in a file*"),
    ("an edge that a GPU draws is that of another slot", "runtime/src/cuda/DeviceEdges.cpp", "chosen.cols.push_back(drawn[k * count + i]);",
     "chosen.cols.push_back(drawn[(BUG ? number - 1 - k : k) * count + i]);", "device-runtime-test", "the batches of an epoch are the same whoever*"),
    ("rows of edges that a GPU keeps are not found where they begin", "runtime/src/cuda/DeviceEdges.cpp", "words.push_back(uint32_t(edges));",
     "words.push_back(uint32_t(edges + BUG));", "device-runtime-test", "the batches of an epoch are the same whoever*"),
    ("rows of edges that a peer keeps are taken for those of the first", "runtime/src/cuda/DeviceEdges.cpp",
     "places.firsts.back() + uint32_t(words.size() - 1);", "(BUG ? 0 : places.firsts.back()) + uint32_t(words.size() - 1);",
     "device-runtime-test", "the batches of an epoch are the same whoever*"),
    ("a table that was bound again is read as it was", "runtime/src/stream/SpilledTables.cpp", "table.isThere && table.version == binding.version(tensor)",
     "table.isThere && (BUG || table.version == binding.version(tensor))", "runtime-test", "a table that is bound again*"),
]
