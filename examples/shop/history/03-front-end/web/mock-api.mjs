// Answers like the shop's API, for work on the front end without the Python service.
import { createServer } from "node:http";

createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ items: { "SPK-264": 32 }, total: 2848 }));
}).listen(4010);
