import { inFrame, inScript, type Probe, script, worker } from './probe.ts'

/** What opens a connection of its own, beside the requests of a page. */
export const SOCKET_PROBES: Record<string, Probe> = {
  WebSocket: inScript(({ at }) => `new WebSocket('ws://${at}/')`),
  'WebSocket with TLS': inScript(({ at }) => `new WebSocket('wss://${at}/')`),
  'WebSocket in a frame': inFrame(({ at }) => script(`new WebSocket('ws://${at}/')`)),
  'WebSocket in a worker': inScript(({ at }) => worker(`new WebSocket('ws://${at}/')`)),
  'WebSocket in a popup': (to) => ({
    markup: script(`window.open('${to.path}popup')`),
    files: { popup: ['text/html', script(`new WebSocket('ws://${to.at}/')`)] },
  }),
  WebSocketStream: inScript(({ at }) => `new WebSocketStream('ws://${at}/')`),
  WebTransport: inScript(({ at }) => `new WebTransport('https://${at}/')`),
  'WebTransport in a worker': inScript(({ at }) => worker(`new WebTransport('https://${at}/')`)),
  'WebTransport with a certificate of its own': inScript(
    ({ at }) =>
      `new WebTransport('https://${at}/', { serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] })`,
  ),
  TCPSocket: inScript(({ host, port }) => `await new TCPSocket('${host}', ${port}).opened`),
  UDPSocket: inScript(
    ({ host, port }) => `
    const { writable } = await new UDPSocket({ remoteAddress: '${host}', remotePort: ${port} }).opened
    await writable.getWriter().write({ data: new Uint8Array(1) })`,
  ),
}
