-- wrk -s write.lua URL -- BODY TOKEN IDS: posts what the file BODY has, where @ID@ becomes a random line of the file IDS.
-- Prints requests, microseconds and errors.
local before, after, ids

function init(args)
  local file = assert(io.open(args[1]))
  local body = file:read("a")
  file:close()
  ids = {}
  for line in io.lines(args[3]) do ids[#ids + 1] = line end
  math.randomseed(os.time())
  local place = string.rep("@", #ids[1])
  local headers = { ["content-type"] = "application/json", authorization = "Bearer " .. args[2] }
  -- Of the length of an id, so that Content-Length is right.
  local whole = wrk.format("POST", "/graphql", headers, (body:gsub("@ID@", place)))
  local first, last = whole:find(place, 1, true)
  if first then
    before, after = whole:sub(1, first - 1), whole:sub(last + 1)
  else
    before = whole
  end
end

function request()
  if not after then return before end
  return before .. ids[math.random(#ids)] .. after
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("%d %d %d\n", summary.requests, summary.duration, failed))
end
