// Turns a request that a reader tries out in RapiDoc into what the service reads.

// A map of parameters, such as those of request groups, is sent as name[key]=value. The service
// takes key=value. Keys that the viewer has made up are left out.
const OF_GROUP = /^[a-z_]+_by_group\[(.+)\]$/;
const MADE_UP = /^property\d+$/;

document.querySelector("rapi-doc").addEventListener("before-try", ({ detail: { request } }) => {
  const url = new URL(request.url, location);
  const parameters = [...url.searchParams]
    .map(([name, value]) => [OF_GROUP.exec(name)?.[1] ?? name, value])
    .filter(([name]) => !MADE_UP.test(name));
  url.search = new URLSearchParams(parameters);
  request.url = url.href;
});
