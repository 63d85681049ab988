-- wrk -s comment.lua URL -- TOKENS IDS: each request adds a comment to a random thought of the file IDS, for a random session
-- of the file TOKENS. Prints requests, microseconds, errors, and the percentiles 50 and 99 in microseconds.
local query = "mutation($i: AddCommentInput!) { addComment(input: $i) { comment { id createdAt author { username } } } }"
local text = "What people say of each other's thoughts when they meet, in some eighty characters."
local heads, ids = {}, {}

local function lines(path)
  local found = {}
  for line in io.lines(path) do found[#found + 1] = line end
  return found
end

function init(args)
  math.randomseed(os.time())
  ids = lines(args[2])
  -- Of the length of an id, so that Content-Length is right.
  local place = string.rep("@", #ids[1])
  local body = string.format(
    '{"query": "%s", "variables": {"i": {"subjectId": "%s", "text": "%s"}}}', query, place, text)
  for _, token in ipairs(lines(args[1])) do
    local headers = { ["content-type"] = "application/json", authorization = "Bearer " .. token }
    local whole = wrk.format("POST", "/graphql", headers, body)
    local first, last = whole:find(place, 1, true)
    heads[#heads + 1] = { whole:sub(1, first - 1), whole:sub(last + 1) }
  end
end

function request()
  local head = heads[math.random(#heads)]
  return head[1] .. ids[math.random(#ids)] .. head[2]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("%d %d %d %d %d\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end
