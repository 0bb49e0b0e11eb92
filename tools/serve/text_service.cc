#include "tools/serve/text_service.h"

#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/ordered_groups.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc_json.h"
#include "framework/text/text_request.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft::tools {
namespace {

// More than the limits allow.
struct TooMuch {
  std::string message;
};

// A place in the turnstile, and others beside it.
class Places {
 public:
  Places(Turnstile& turnstile, ServeMetrics& metrics) : turnstile_(turnstile), metrics_(metrics) {
    metrics_.started();
  }
  ~Places() {
    metrics_.ended();
    turnstile_.leave(count_);
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  int take_more(int most) { return count_ += turnstile_.take_more(most); }

 private:
  Turnstile& turnstile_;
  ServeMetrics& metrics_;
  int count_ = 1;
};

std::vector<Doc> docs_of(const TextRequest& request, const Language& nlp) {
  if (request.texts.size() > ServeLimits::kTexts) {
    throw TooMuch{
        fmt::format("{} texts; a request has up to {}", request.texts.size(), ServeLimits::kTexts)};
  }
  const std::size_t categories = nlp.predicted_values().of_document;
  if (request.texts.size() * categories > ServeLimits::kCategories) {
    throw TooMuch{fmt::format("{} texts get {} categories each, more than {} together: send fewer",
                              request.texts.size(), categories, ServeLimits::kCategories)};
  }
  std::vector<Doc> docs;
  std::size_t tokens = 0;
  for (const std::string& text : request.texts) {
    docs.push_back(nlp.make_doc(text));
    tokens += static_cast<std::size_t>(docs.back().size());
    if (tokens > ServeLimits::kTokens) {
      throw TooMuch{
          fmt::format("the texts have more than {} tokens, the most of a request: send fewer, or "
                      "shorter ones",
                      ServeLimits::kTokens)};
    }
  }
  return docs;
}

std::string answer_of(const TextRequest& request, const std::vector<Doc>& docs) {
  if (request.is_one) return to_json_line(docs.front(), DocJson::prediction) + "\n";
  std::string body = "{\"docs\": [";
  for (const Doc& doc : docs) {
    if (&doc != &docs.front()) body += ",\n";
    body += to_json_line(doc, DocJson::prediction);
    if (body.size() > ServeLimits::kAnswerBytes) {
      throw TooMuch{
          fmt::format("the answer has more than {} bytes, the most of several texts: "
                      "send fewer of them",
                      ServeLimits::kAnswerBytes)};
    }
  }
  body += "]}\n";
  return body;
}

HttpReply reply_of(const Error& error) {
  const bool theirs = error.kind() == ErrorKind::data;
  if (error.kind() == ErrorKind::memory) return error_reply(503, "memory", error.what());
  return error_reply(theirs ? 400 : 500, theirs ? "data" : "internal", error.what(),
                     error.place().line, error.place().column);
}

HttpReply busy(const std::string& message) {
  HttpReply reply = error_reply(503, "busy", message);
  reply.retry_after = 1;
  return reply;
}

}  // namespace

TextService::TextService(std::shared_ptr<const Language> nlp, int threads,
                         const ServeLimits& limits)
    : nlp_(std::move(nlp)),
      threads_(threads),
      limits_(limits),
      turnstile_(threads, limits.waiting) {}

HttpReply TextService::annotate(const std::string& body,
                                std::chrono::steady_clock::time_point deadline) {
  switch (turnstile_.enter(deadline)) {
    case Turnstile::Entry::full:
      return busy("too many requests wait already; try again");
    case Turnstile::Entry::too_late:
      return busy("no thread was free in the time that --timeout gives a request; try again");
    case Turnstile::Entry::inside:
      break;
  }
  const auto began = std::chrono::steady_clock::now();
  HttpReply reply = annotate_now(body);
  reply.annotating = std::chrono::steady_clock::now() - began;
  return reply;
}

HttpReply TextService::annotate_now(const std::string& body) {
  constexpr int kTextsOfThread = 16;
  Places places(turnstile_, metrics_);
  try {
    const TextRequest request = read_text_request(body);
    std::vector<Doc> docs = docs_of(request, *nlp_);
    std::vector<Doc*> batch, empty;  // those without tokens get what each of them gets alone
    std::size_t tokens = 0;
    for (Doc& doc : docs) {
      tokens += static_cast<std::size_t>(doc.size());
      (doc.empty() ? empty : batch).push_back(&doc);
    }
    WorkerPool pool(places.take_more(static_cast<int>(batch.size()) / kTextsOfThread));
    nlp_->annotate(empty, pool);
    if (nlp_->annotate_some(batch, pool) < batch.size()) {
      throw TooMuch{
          fmt::format("the texts get more than {} spans together: send fewer", kMostSpansAtOnce)};
    }
    metrics_.annotated(docs.size(), tokens);
    std::string answer = answer_of(request, docs);
    auto held = answers_.hold(answer.size());
    if (held == nullptr) return busy("too many answers wait to be read; try again");
    return {.body = std::move(answer), .held = std::move(held)};
  } catch (const TooMuch& much) {
    return error_reply(413, "limit", much.message);
  } catch (const Error& error) {
    return reply_of(error);
  } catch (const std::bad_alloc&) {
    return error_reply(503, "memory", "there is no memory for this request");
  }
}

HttpReply TextService::health() const {
  Object facts;
  facts.set("status", "ok");
  facts.set("lang", nlp_->lang());
  List components;
  for (const NamedComponent& component : nlp_->pipeline()) {
    if (component.enabled) components.emplace_back(component.name);
  }
  facts.set("components", std::move(components));
  facts.set("threads", threads_);
  return {.body = to_standard_json(facts, JsonText::utf8) + "\n"};
}

HttpReply TextService::metrics() const {
  return {.body = metrics_.text(), .type = "text/plain; version=0.0.4; charset=utf-8"};
}

}  // namespace weft::tools
