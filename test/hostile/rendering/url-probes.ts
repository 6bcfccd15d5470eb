import { inFrame, inMarkup, inScript, type Probe, script, worker } from './probe.ts'

const frameOf = (markup: string) => `<iframe srcdoc='${markup}'></iframe>`
const linked = (rel: string, more = ''): Probe =>
  inMarkup(({ at }) => `<link rel="${rel}" href="http://${at}/" ${more}>`)
const rules = (kind: string): Probe =>
  inMarkup(
    ({ at }) =>
      `<script type="speculationrules">{"${kind}":[{"urls":["http://${at}/"],"eagerness":"immediate"}]}</script>`,
  )

/** Everything of a page that takes an address of something. */
export const URL_PROBES: Record<string, Probe> = {
  fetch: inScript(({ at }) => `await fetch('http://${at}/', { mode: 'no-cors' })`),
  'fetch with a body': inScript(
    ({ at }) => `await fetch('http://${at}/', { method: 'POST', mode: 'no-cors', body: 'x' })`,
  ),
  'fetch that outlives its frame': inFrame(({ at }) =>
    script(`fetch('http://${at}/', { mode: 'no-cors', keepalive: true }); frameElement.remove()`),
  ),
  fetchLater: inFrame(({ at }) => script(`fetchLater('https://${at}/'); location.href = 'about:blank'`)),
  XMLHttpRequest: inScript(({ at }) => `const r = new XMLHttpRequest(); r.open('GET', 'http://${at}/'); r.send()`),
  'XMLHttpRequest that waits': inScript(
    ({ at }) => `const r = new XMLHttpRequest(); r.open('GET', 'http://${at}/', false); r.send()`,
  ),
  sendBeacon: inScript(({ at }) => `navigator.sendBeacon('http://${at}/', 'x')`),
  'sendBeacon of a page that goes': inFrame(({ at }) =>
    script(
      `addEventListener('pagehide', () => navigator.sendBeacon('http://${at}/', 'x')); setTimeout(() => frameElement.remove(), 100)`,
    ),
  ),
  EventSource: inScript(({ at }) => `new EventSource('http://${at}/')`),
  'import()': inScript(({ at }) => `await import('http://${at}/')`),
  'import() in a worker': inScript(({ at }) => worker(`import('http://${at}/')`, 'module')),
  importScripts: inScript(({ at }) => worker(`importScripts('http://${at}/')`)),
  'fetch in a worker': inScript(({ at }) => worker(`fetch('http://${at}/', { mode: 'no-cors' })`)),
  'fetch in a worker with a file': (to) => ({
    markup: script(`(self.kept ??= []).push(new Worker('${to.path}worker'))`),
    files: { worker: ['text/javascript', `fetch('http://${to.at}/', { mode: 'no-cors' })`] },
  }),
  'fetch in a shared worker': (to) => ({
    markup: script(`(self.kept ??= []).push(new SharedWorker('${to.path}worker'))`),
    files: { worker: ['text/javascript', `fetch('http://${to.at}/', { mode: 'no-cors' })`] },
  }),
  'fetch in a service worker': (to) => ({
    markup: script(`await navigator.serviceWorker.register('${to.path}worker')`),
    files: { worker: ['text/javascript', `fetch('http://${to.at}/', { mode: 'no-cors' })`] },
  }),
  'a worklet': inScript(({ at }) => `await new AudioContext().audioWorklet.addModule('http://${at}/')`),
  '<script>': inMarkup(({ at }) => `<script async src="http://${at}/"></script>`),
  '<script type=module>': inMarkup(({ at }) => `<script type="module" src="http://${at}/"></script>`),
  '<link rel=stylesheet>': inScript(
    ({ at }) =>
      `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'http://${at}/' }))`,
  ),
  '@import': inMarkup(({ at }) => frameOf(`<style>@import url("http://${at}/");</style>`)),
  'url() of CSS': inMarkup(({ at }) => `<p style="background: url(http://${at}/)">x</p>`),
  '@font-face': inMarkup(
    ({ at, word }) =>
      `<style>@font-face { font-family: ${word}; src: url("http://${at}/") }</style><p style="font-family: ${word}">x</p>`,
  ),
  FontFace: inScript(({ at }) => `await new FontFace('x', 'url(http://${at}/)').load()`),
  '<img>': inMarkup(({ at }) => `<img src="http://${at}/">`),
  '<img srcset>': inMarkup(({ at }) => `<picture><source srcset="http://${at}/"><img></picture>`),
  '<input type=image>': inMarkup(({ at }) => `<input type="image" src="http://${at}/">`),
  '<video>': inMarkup(({ at }) => `<video autoplay muted src="http://${at}/"></video>`),
  '<video poster>': inMarkup(({ at }) => `<video poster="http://${at}/"></video>`),
  '<audio>': inMarkup(({ at }) => `<audio autoplay muted src="http://${at}/"></audio>`),
  '<object>': inMarkup(({ at }) => `<object data="http://${at}/"></object>`),
  '<object> of a PDF': inMarkup(({ at }) => `<object type="application/pdf" data="http://${at}/x.pdf"></object>`),
  '<embed>': inMarkup(({ at }) => `<embed src="http://${at}/">`),
  '<embed> of a PDF': inMarkup(({ at }) => `<embed type="application/pdf" src="http://${at}/x.pdf">`),
  '<iframe>': inMarkup(({ at }) => `<iframe src="http://${at}/"></iframe>`),
  '<frame>': inFrame(({ at }) =>
    script(`document.documentElement.innerHTML = '<frameset><frame src="http://${at}/"></frameset>'`),
  ),
  '<image> of SVG': inMarkup(({ at }) => `<svg><image href="http://${at}/"/></svg>`),
  '<use> of SVG': inMarkup(({ at }) => `<svg><use href="http://${at}/#x"/></svg>`),
  '<feImage> of SVG': inMarkup(
    ({ at, word }) =>
      `<svg width="9" height="9"><filter id="${word}"><feImage href="http://${at}/"/></filter><rect width="9" height="9" filter="url(#${word})"/></svg>`,
  ),
  XSLT: inScript(
    ({ at }) => `
    const read = (text) => new DOMParser().parseFromString(text, 'text/xml')
    const sheet = '<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><p><x:copy-of select="document(&quot;http://${at}/&quot;)"/><img src="http://${at}/"/></p></x:template></x:stylesheet>'
    const processor = new XSLTProcessor()
    processor.importStylesheet(read(sheet))
    document.body.append(processor.transformToFragment(read('<y/>'), document))`,
  ),
  'an external entity': (to) => ({
    markup: `<iframe src="${to.path}xml"></iframe>`,
    files: {
      xml: [
        'text/xml',
        `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "http://${to.at}/">]><x xmlns:h="http://www.w3.org/1999/xhtml">&e;<h:img src="http://${to.at}/"/></x>`,
      ],
    },
  }),
  '<link rel=preload>': linked('preload', 'as="script"'),
  '<link rel=modulepreload>': linked('modulepreload'),
  '<link rel=prefetch>': linked('prefetch'),
  '<link rel=prerender>': linked('prerender'),
  '<link rel=preconnect>': linked('preconnect'),
  '<link rel=dns-prefetch>': linked('dns-prefetch'),
  '<link rel=icon>': linked('icon'),
  '<link rel=manifest>': linked('manifest'),
  'a Link header': inFrame(
    () => 'x',
    ({ at }) => ({ link: `<http://${at}/>; rel=preconnect, <http://${at}/x>; rel=preload; as=script` }),
  ),
  'rules that prefetch': rules('prefetch'),
  'a form': inFrame(({ at }) => `<form action="http://${at}/"></form>${script('document.forms[0].submit()')}`),
  'rules that prerender': rules('prerender'),
  'a form in a new window': inFrame(
    ({ at }) =>
      `<form method="post" target="_blank" action="http://${at}/"></form>${script('document.forms[0].submit()')}`,
  ),
  '<meta http-equiv=refresh>': inFrame(({ at }) => `<meta http-equiv="refresh" content="0; url=http://${at}/">`),
  'a Refresh header': inFrame(
    () => 'x',
    ({ at }) => ({ refresh: `0; url=http://${at}/` }),
  ),
  location: inFrame(({ at }) => script(`location.href = 'http://${at}/'`)),
  'location of another frame': inMarkup(
    ({ at, word }) => `<iframe name="${word}"></iframe>${script(`window.open('http://${at}/', '${word}')`)}`,
  ),
  'window.open': inScript(({ at }) => `window.open('http://${at}/')`),
  'window.open without an opener': inScript(({ at }) => `window.open('http://${at}/', '_blank', 'noopener')`),
  'the location of a popup': inScript(({ at }) => `window.open('about:blank').location = 'http://${at}/'`),
  '<a target=_blank>': inMarkup(
    ({ at, word }) =>
      `<a id="${word}" target="_blank" href="http://${at}/"></a>${script(`document.getElementById('${word}').click()`)}`,
  ),
  '<a download>': inFrame(
    ({ at }) => `<a id="a" download href="http://${at}/"></a>${script(`document.getElementById('a').click()`)}`,
  ),
  '<a ping>': inFrame(
    ({ at }) => `<a id="a" ping="http://${at}/" href="#x"></a>${script(`document.getElementById('a').click()`)}`,
  ),
  '<img attributionsrc>': inMarkup(({ at }) => `<img attributionsrc="https://${at}/">`),
  'report-uri of a policy': inFrame(
    () => '<img src="/forbidden.png">',
    ({ at }) => ({ 'content-security-policy': `img-src 'none'; report-uri http://${at}/` }),
  ),
  'report-to of a policy': inFrame(
    () => '<img src="/forbidden.png">',
    ({ at }) => ({
      'reporting-endpoints': `x="https://${at}/"`,
      'content-security-policy': `img-src 'none'; report-to x`,
    }),
  ),
  'network error logging': inFrame(
    () => 'x',
    ({ at }) => ({
      'report-to': `{"group":"x","max_age":60,"endpoints":[{"url":"https://${at}/"}]}`,
      nel: '{"report_to":"x","max_age":60,"success_fraction":1}',
    }),
  ),
  'a payment method': inScript(
    ({ at }) =>
      `await new PaymentRequest([{ supportedMethods: 'https://${at}/' }], { total: { label: 'x', amount: { currency: 'USD', value: '1' } } }).canMakePayment()`,
  ),
  'a sign-in with another site': inScript(
    ({ at }) =>
      `await navigator.credentials.get({ identity: { providers: [{ configURL: 'https://${at}/c.json', clientId: 'x' }] } })`,
  ),
  'a second screen': inScript(
    ({ at }) => `await new PresentationRequest(['http://${at}/', 'cast:AAAA']).getAvailability()`,
  ),
}
