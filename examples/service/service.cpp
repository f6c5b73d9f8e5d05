// An HTTP service that answers questions about the vertices of a data set, by their ids, with a compiled model:
//
//   service MODEL.so WEIGHTS.safetensors DATASET [--port N] [--host ADDRESS] [--threads N] [--queue N]
//           [--deadline SECONDS] [--drain SECONDS] [--max-ids N] [--max-body BYTES]
//
//   POST /v1/predict  {"ids": ["kim", "ada"]}: their classes and probabilities, or numbers
//   POST /v1/append   {"vertices": {"customer": [{"id": "new", "age": "44", "since": null, "country": "DE"}]},
//                      "edges": {"bought": [["new", "p3"]]}}: all of it or nothing
//   POST /v1/reload   reads the weights again, and serves them if they answer; a new library needs a new process
//   GET  /v1/model, /healthz, /readyz, /metrics
//
// Cells are written as in the tables of `gnn-data import`. If the model reads inputs of edges, nothing is appended.
//
// SIGTERM and SIGINT end the service after the requests that are in flight, for which it has --drain seconds. SIGHUP
// reloads. It listens on this machine alone unless --host says otherwise, and knows no users: put a proxy before it.

#include "graph.hpp"

#include <atomic>
#include <cmath>
#include <csignal>
#include <httplib.h>
#include <iostream>
#include <thread>

namespace {

struct Settings {
  std::string library, weights, data, host = "127.0.0.1";
  std::map<std::string, long> numbers{{"port", 8080}, {"threads", 2},    {"queue", 64},        {"deadline", 5},
                                      {"drain", 10},  {"max-ids", 1000}, {"max-body", 1 << 20}};
  long operator[](const char *name) const { return numbers.at(name); }
};

sigset_t handledSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&signals, signal);
  return signals;
}

class Service {
public:
  explicit Service(const Settings &settings)
      : settings(settings), gate(settings["threads"], settings["queue"], std::chrono::seconds(settings["deadline"])),
        model(open()), graph(settings.data, *model), classes(graph.classNames()) {}

  /// Serves until a signal ends it.
  void run() {
    // A connection keeps its thread while it is open, so there are more of them than requests that may wait.
    server.new_task_queue = [this] {
      return new httplib::ThreadPool(size_t(settings["threads"] + settings["queue"] + 8));
    };
    server.set_payload_max_length(size_t(settings["max-body"]));
    server.set_keep_alive_max_count(1000000);
    server.set_keep_alive_timeout(2);
    server.set_tcp_nodelay(true);
    server.set_pre_routing_handler([this](const httplib::Request &request, httplib::Response &response) {
      if (!isEnding || request.path == "/healthz" || request.path == "/metrics")
        return httplib::Server::HandlerResponse::Unhandled;
      fail(response, 503, "the service is ending");
      response.set_header("Connection", "close");
      return httplib::Server::HandlerResponse::Handled;
    });
    server.set_error_handler([](const httplib::Request &, httplib::Response &response) {
      if (response.body.empty())
        fail(response, response.status, response.status == 413 ? "the body is too large" : "there is no such request");
    });
    answerPosts("/v1/predict", [this](const Json &request) { return predict(request); });
    answerPosts("/v1/append", [this](const Json &request) { return append(request); });
    answerPosts("/v1/reload", [this](const Json &) { return reload(); });
    answerGets("/v1/model", [this] { return about(); });
    for (const char *path : {"/healthz", "/readyz"})
      answerGets(path, [] { return Json{{"ok", true}}; });
    server.Get("/metrics", [this](const httplib::Request &, httplib::Response &response) {
      const auto [running, waiting] = gate.state();
      response.set_content(counters.text() + "service_running " + std::to_string(running) + "\nservice_waiting " +
                               std::to_string(waiting) + "\nservice_snapshot " + std::to_string(graph.number()) + "\n",
                           "text/plain; version=0.0.4");
    });
    const int wanted = int(settings["port"]);
    const int port = wanted == 0                                  ? server.bind_to_any_port(settings.host)
                     : server.bind_to_port(settings.host, wanted) ? wanted
                                                                  : -1;
    if (port < 0)
      throw std::runtime_error("cannot listen on " + settings.host + ":" + std::to_string(wanted));
    std::cout << "listening on http://" << settings.host << ":" << port << std::endl;
    std::thread signals([this] { handleSignals(); });
    server.listen_after_bind(); // returns when all that was in flight is answered
    {
      const std::lock_guard<std::mutex> lock(ending);
      hasEnded = true;
      ended.notify_all();
    }
    signals.join();
  }

private:
  std::shared_ptr<gnn::Model> open() const {
    auto opened = std::make_shared<gnn::Model>(settings.library, gnn::ModelOptions(1)); // the request's thread computes
    opened->load(settings.weights);
    return opened;
  }
  std::shared_ptr<gnn::Model> present() const {
    const std::lock_guard<std::mutex> lock(changing);
    return model;
  }

  Json predict(const Json &request) {
    if (!request.is_object() || !request.contains("ids") || !request["ids"].is_array())
      throw Refusal(400, "expected {\"ids\": [ID, …]}");
    std::vector<std::string> ids;
    for (const Json &id : request["ids"])
      ids.push_back(idIn(id));
    if (ids.size() > size_t(settings["max-ids"]))
      throw Refusal(413, "more than " + std::to_string(settings["max-ids"]) + " ids");
    const auto [rows, number] = graph.infer(*present(), ids);
    const size_t width = ids.empty() ? 0 : size_t(rows.count()) / ids.size();
    Json predictions = Json::array();
    for (size_t i = 0; i < ids.size(); ++i)
      predictions.push_back(prediction(ids[i], rows.data<float>() + i * width, width));
    counters.add("service_vertices_total", ids.size());
    return {{"predictions", predictions}, {"snapshot", number}};
  }

  /// Scores of classes become the best class and its probability; other outputs are numbers.
  Json prediction(const std::string &id, const float *row, size_t width) const {
    if (classes.size() != width || width < 2)
      return {{"id", id}, {"values", std::vector<float>(row, row + width)}};
    const float *best = std::max_element(row, row + width);
    double sum = 0;
    for (size_t i = 0; i < width; ++i)
      sum += std::exp(double(row[i]) - *best);
    return {{"id", id}, {"class", classes[size_t(best - row)]}, {"probability", 1 / sum}};
  }

  Json append(const Json &request) {
    gnn_cell_counts_t replaced{};
    const uint64_t number = graph.append(request, replaced);
    counters.add("service_cells_total{state=\"missing\"}", replaced.missing);
    counters.add("service_cells_total{state=\"unseen\"}", replaced.unseen);
    return {{"snapshot", number}, {"missing", replaced.missing}, {"unseen", replaced.unseen}};
  }

  /// The present model answers until the new one has answered, too.
  Json reload() {
    try {
      auto next = open();
      graph.check(*next);
      const std::lock_guard<std::mutex> lock(changing);
      model = next;
    } catch (const gnn::Error &error) {
      throw Refusal(409, std::string("the present model stays: ") + error.what());
    }
    counters.add("service_reloads_total", 1);
    return about();
  }

  Json about() const {
    const Json manifest = Json::parse(present()->manifest());
    return {{"model", manifest["model"]},   {"digest", manifest["digest"]},
            {"inputs", manifest["inputs"]}, {"outputs", manifest["outputs"]},
            {"weights", settings.weights},  {"data", settings.data},
            {"classes", classes},           {"snapshot", graph.number()}};
  }

  template <class Answer> void answerGets(const std::string &path, Answer answer) {
    server.Get(path, [answer](const httplib::Request &, httplib::Response &response) { write(response, answer()); });
  }
  template <class Answer> void answerPosts(const std::string &path, Answer answer) {
    server.Post(path, [this, path, answer](const httplib::Request &request, httplib::Response &response) {
      const auto begin = std::chrono::steady_clock::now();
      try {
        gate.enter();
        const std::shared_ptr<Gate> entered(&gate, [](Gate *left) { left->leave(); });
        const auto isShallow = [](int depth, Json::parse_event_t, const Json &) { // deep values overflow the stack
          return depth < 8 ? true : throw Refusal(400, "the body is nested too deeply");
        };
        response.status = 200;
        write(response, answer(request.body.empty() ? Json::object() : Json::parse(request.body, isShallow)));
      } catch (const Refusal &refusal) {
        fail(response, refusal.status, refusal.what());
      } catch (const Json::parse_error &error) {
        fail(response, 400, std::string("the body is no JSON: ") + error.what());
      } catch (const std::exception &error) {
        fail(response, 500, error.what());
      }
      counters.answered(path, response.status,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    });
  }
  /// Names in tables may be no UTF-8, which JSON has to be.
  static void write(httplib::Response &response, const Json &json) {
    response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", "application/json");
  }
  static void fail(httplib::Response &response, int status, const std::string &reason) {
    response.status = status;
    write(response, {{"error", reason}});
  }

  void handleSignals() {
    const sigset_t signals = handledSignals();
    for (int signal = 0; sigwait(&signals, &signal) == 0 && signal == SIGHUP;)
      try {
        reload();
      } catch (const std::exception &error) {
        std::cerr << "service: " << error.what() << std::endl;
      }
    isEnding = true;
    while (!server.is_running()) // it is about to
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server.stop();
    std::unique_lock<std::mutex> lock(ending);
    if (ended.wait_for(lock, std::chrono::seconds(settings["drain"]), [this] { return hasEnded; }))
      return;
    std::cerr << "service: requests were not answered within --drain" << std::endl;
    std::_Exit(1);
  }

  const Settings settings;
  httplib::Server server;
  Gate gate;
  Counters counters;
  mutable std::mutex changing; // of `model`
  std::shared_ptr<gnn::Model> model;
  Graph graph;
  const std::vector<std::string> classes;
  std::atomic<bool> isEnding{false};
  std::mutex ending; // of `hasEnded`
  std::condition_variable ended;
  bool hasEnded = false;
};

Settings settingsOf(const std::vector<std::string> &words) {
  if (words.size() < 3 || words.size() % 2 == 0)
    throw std::runtime_error("usage: service MODEL.so WEIGHTS.safetensors DATASET [--port N] …");
  Settings settings{words[0], words[1], words[2]};
  for (size_t i = 3; i < words.size(); i += 2) {
    const std::string &option = words[i], &value = words[i + 1];
    const auto number = settings.numbers.find(option.substr(std::min<size_t>(option.size(), 2)));
    if (option == "--host")
      settings.host = value;
    else if (number == settings.numbers.end())
      throw std::runtime_error(option + " is no option");
    else if (value.empty() || value.size() > 9 || value.find_first_not_of("0123456789") != value.npos)
      throw std::runtime_error(option + " takes a number, found '" + value + "'");
    else
      number->second = std::stol(value);
  }
  return settings;
}

} // namespace

int main(int argc, char **argv) try {
  const sigset_t signals = handledSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr); // for all threads: one of them waits for these signals
  Service(settingsOf({argv + 1, argv + argc})).run();
} catch (const std::exception &error) {
  std::cerr << "service: " << error.what() << "\n";
  return 1;
}
