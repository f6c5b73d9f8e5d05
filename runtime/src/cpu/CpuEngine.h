//===- CpuEngine.h - The processor as an engine -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on the cores that this process runs on. Rows are cut into tasks, each done by one thread; sums over rows go
// through fixed slots that are added in order: the bits of a result do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_CPUENGINE_H
#define GNN_CPU_CPUENGINE_H

#include "runtime/src/cpu/PlanTrials.h"
#include "runtime/src/cpu/Team.h"
#include "runtime/src/cpu/TransferThread.h"
#include "runtime/src/cpu/TriedPlans.h"
#include "runtime/src/engine/Engine.h"

namespace gnn::rt {

class CpuEngine : public Engine {
public:
  /// `threads` 0 means as many as this process may use. Unless plans are by counts, sweeps that run again and again go
  /// in several ways at first, where counts don't tell which is the fastest, to the same bits.
  CpuEngine(std::shared_ptr<const Library> library, unsigned threads, PlanChoice plans = PlanChoice::Tried);

  std::unique_ptr<Prepared> prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                    const StepViews &views) override;
  std::shared_ptr<ResidentTables> tables(const Binding &binding) override;
  std::unique_ptr<Recording> recording() override;
  std::unique_ptr<StepClock> clock(uint32_t steps) override;

  std::unique_ptr<Memory> allocate(size_t bytes) override;
  std::unique_ptr<Memory> allocateTransient(size_t bytes) override;
  void copyIn(void *to, const void *from, size_t bytes) override;
  void gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows) override;
  void copyOut(void *to, const void *from, size_t bytes) override;
  void clear(void *to, size_t bytes) override;

  Tensor empty(uint32_t element, std::vector<int64_t> shape) override;
  Tensor handedOut(const Tensor &result) override { return result; } // the executor leaves it alone then
  Tensor zeros(uint32_t element, std::vector<int64_t> shape) override;
  std::unique_ptr<Engine> another() const override { return std::make_unique<CpuEngine>(library, team.size(), plans); }

  const std::string &device() const override { return name; }
  const std::string &code() const override { return isa; }
  const std::string &products() const override { return productsName; }
  unsigned threads() const override { return team.size(); }
  TransferThreads *transferThreads() override { return &asked; }
  EngineReport report() const override { return {triedPlans->all()}; }

private:
  /// Queues whose work a helper thread of the team does beside the steps.
  class TeamQueues : public Queues, public TransferThreads {
  public:
    explicit TeamQueues(Team &team) : team(team) {}
    ~TeamQueues() override { close(); }
    void start() override;
    bool areStarted() const override { return load && store; }

  private:
    bool summon(Queue queue, const std::function<void()> &help) override;
    bool serves(Queue queue) const override;

    Team &team;
    std::unique_ptr<TransferThread> load, store; // null: helpers of the team do what is transferred
  };

  Queues &queues() override { return asked; }
  void transfer(Queue, void *to, const void *from, size_t bytes) override { copyIn(to, from, bytes); }

  std::shared_ptr<const Library> library;
  const std::string name = "cpu", isa, productsName;
  const PlanChoice plans;
  const std::shared_ptr<TriedPlans> triedPlans = std::make_shared<TriedPlans>();
  Team team;
  TeamQueues asked{team};
};

} // namespace gnn::rt

#endif // GNN_CPU_CPUENGINE_H
