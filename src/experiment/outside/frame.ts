// The frame in which the studio executes custom plug-ins. It has no origin, so it reaches neither the page nor its
// storage, and its policy forbids every request. The server of the studio allows exactly this script.

/** Waits for the code of a worker and a port to the page, and reports errors of the worker. */
export const frameScript =
  'addEventListener("message",({data:{code,name},ports:[port],source})=>{' +
  "if(source!==parent)return;" +
  'const url=URL.createObjectURL(new Blob([code],{type:"text/javascript"}));' +
  "const worker=new Worker(url,{name});" +
  'worker.onerror=({message,filename,lineno})=>parent.postMessage({message,filename,lineno},"*");' +
  "worker.postMessage(0,[port])},{once:true})"

const policy = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:"

export const framePage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Plug-ins</title>` +
  `<script>${frameScript}</script></head></html>`
