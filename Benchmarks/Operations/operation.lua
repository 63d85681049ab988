-- wrk -s operation.lua URL -- BODY TOKENS IDS [check]: posts what the file BODY has, for a random session of the file
-- TOKENS. @ID@ in the body becomes a random line of the file IDS. With `check` each answer is read, which takes time
-- from a server on the same cores. Prints requests, microseconds, failures, and the percentiles 50 and 99 in
-- microseconds.
local heads, ids, threads = {}, {}, {}
-- A global, since `done` runs in a Lua state of its own and reads the one of the thread.
wrong = 0

local function lines(path)
  local found = {}
  for line in io.lines(path) do found[#found + 1] = line end
  return found
end

-- An operation that a person can mend is refused in `userErrors`, without an error; a null root field is no answer.
local function check(status, _, body)
  local is_right = status == 200 and body:find('"data":{', 1, true)
    and not body:find('"errors":', 1, true)
    and not body:find('"userErrors":[{', 1, true)
    and not body:find('"data":{"[%w_]+":null')
  if not is_right then wrong = wrong + 1 end
end

function setup(thread) threads[#threads + 1] = thread end

function init(args)
  math.randomseed(os.time())
  local file = assert(io.open(args[1]))
  local body = file:read("*a")
  file:close()
  ids = lines(args[3])
  -- Of the length of an id, so that Content-Length is right.
  local place = string.rep("@", #ids[1])
  body = body:gsub("@ID@", place)
  for _, token in ipairs(lines(args[2])) do
    local headers = { ["content-type"] = "application/json", authorization = "Bearer " .. token }
    local whole = wrk.format("POST", "/graphql", headers, body)
    local first, last = whole:find(place, 1, true)
    heads[#heads + 1] = first and { whole:sub(1, first - 1), whole:sub(last + 1) } or { whole }
  end
  -- wrk hands answers over only if there is a function to take them.
  if args[4] == "check" then response = check end
end

function request()
  local head = heads[math.random(#heads)]
  if not head[2] then return head[1] end
  return head[1] .. ids[math.random(#ids)] .. head[2]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  for _, thread in ipairs(threads) do failed = failed + thread:get("wrong") end
  io.write(string.format("%d %d %d %d %d\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end
