import { inFrame, inMarkup, inScript, type Probe, script, type Target } from './probe.ts'

/** Opens a connection whose servers are at the target; the names of servers and users are the attacker's text. */
const gather = (urls: string, scope = 'self') => `
  const pc = new ${scope}.RTCPeerConnection({ iceServers: [{ urls: '${urls}', username: 'attacker', credential: 'text' }] })
  pc.createDataChannel('x')
  await pc.setLocalDescription(await pc.createOffer())
  ;(self.kept ??= []).push(pc)`

const stun = ({ at }: Target, scope?: string) => gather(`stun:${at}`, scope)

/** Two connections of the page to each other; one is given the target as the address of the other. */
const candidate = ({ host, port }: Target, kind: 'udp' | 'tcp') => `
  const [one, two] = [new RTCPeerConnection(), new RTCPeerConnection()]
  one.createDataChannel('x')
  await one.setLocalDescription(await one.createOffer())
  await two.setRemoteDescription(one.localDescription)
  await two.setLocalDescription(await two.createAnswer())
  const sdp = two.localDescription.sdp.replace(/a=candidate.*\\r\\n/g, '').replace(/a=ice-ufrag:.*/, 'a=ice-ufrag:attackersText')
  await one.setRemoteDescription({ type: 'answer', sdp })
  await one.addIceCandidate({
    candidate: 'candidate:1 1 ${kind} 2122260223 ${host.replace(/[[\]]/g, '')} ${port} typ host${kind === 'tcp' ? ' tcptype passive' : ''}',
    sdpMid: '0', sdpMLineIndex: 0,
  })
  ;(self.kept ??= []).push(one, two)`

const emptyFrame = (to: Target, attributes: string) =>
  script(`
    const frame = document.createElement('iframe')
    ${attributes}
    document.documentElement.append(frame)
    await new Promise((done) => setTimeout(done, 50))
    const scope = frame.contentWindow
    ${stun(to, 'scope')}`)

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Of the page itself, to every kind of server and peer. */
export const WEBRTC_PROBES: Record<string, Probe> = {
  'RTCPeerConnection with a STUN server': inScript(stun),
  'RTCPeerConnection under its old name': inScript((to) =>
    gather(`stun:${to.at}`).replace('self.RTC', 'self.webkitRTC'),
  ),
  'RTCPeerConnection with a TURN server over UDP': inScript(({ at }) => gather(`turn:${at}?transport=udp`)),
  'RTCPeerConnection with a TURN server over TCP': inScript(({ at }) => gather(`turn:${at}?transport=tcp`)),
  'RTCPeerConnection with a TURN server over TLS': inScript(({ at }) => gather(`turns:${at}?transport=tcp`)),
  'RTCPeerConnection with a candidate over UDP': inScript((to) => candidate(to, 'udp')),
  'RTCPeerConnection with a candidate over TCP': inScript((to) => candidate(to, 'tcp')),
}

/** Of every other document that a page can make. */
export const WEBRTC_ELSEWHERE: Record<string, Probe> = {
  'RTCPeerConnection in a frame': inFrame((to) => script(stun(to))),
  'RTCPeerConnection of an empty frame': inMarkup((to) => emptyFrame(to, '')),
  'RTCPeerConnection of a frame at about:blank': inMarkup((to) => emptyFrame(to, `frame.src = 'about:blank'`)),
  'RTCPeerConnection in srcdoc': inMarkup((to) => `<iframe srcdoc="${attribute(script(stun(to)))}"></iframe>`),
  'RTCPeerConnection in a sandboxed frame': inMarkup(
    (to) => `<iframe sandbox="allow-scripts" srcdoc="${attribute(script(stun(to)))}"></iframe>`,
  ),
  'RTCPeerConnection in data:': inMarkup(
    (to) => `<iframe src="data:text/html,${encodeURIComponent(script(stun(to)))}"></iframe>`,
  ),
  'RTCPeerConnection in blob:': inScript(
    (to) => `
    const frame = document.createElement('iframe')
    frame.src = URL.createObjectURL(new Blob(['<script>(async () => {' + ${JSON.stringify(stun(to))} + '})()</' + 'script>'], { type: 'text/html' }))
    document.documentElement.append(frame)`,
  ),
  'RTCPeerConnection of an empty popup': inScript(
    (to) => `const scope = window.open('about:blank'); ${stun(to, 'scope')}`,
  ),
  'RTCPeerConnection in a popup': (to) => ({
    markup: script(`window.open('${to.path}popup')`),
    files: { popup: ['text/html', script(stun(to))] },
  }),
  'RTCPeerConnection in a popup without an opener': (to) => ({
    markup: `<a id="${to.word}" target="_blank" rel="noopener" href="${to.path}popup"></a>${script(`document.getElementById('${to.word}').click()`)}`,
    files: { popup: ['text/html', script(stun(to))] },
  }),
}
