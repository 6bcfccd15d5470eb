/**
 * Chromium obeys the last `--disable-features` only. So this list repeats Playwright's, and adds the pages that a window
 * loads for its address bar, which no one sees: they take half of the processor time of a page.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
]
/** What every browser of ours is started with. */
export const LEAN_BROWSER = [`--disable-features=${DISABLED_FEATURES.join(',')}`]

/** What a text does not need and what sends something, or asks a device. Pages find that this browser lacks it. */
const ABSENT = [
  'BackgroundFetch',
  'DirectSockets',
  'FedCm',
  'FetchLaterAPI',
  'FontAccess',
  'Notifications',
  'PeriodicBackgroundSync',
  'Presentation',
  'PushMessaging',
  'RemotePlayback',
  'Serial',
  'SharedWorker',
  'WebBluetooth',
  'WebHID',
  'WebSocketStream',
  'WebUSB',
]

/** Chromium of itself reaches nothing: a page's requests are taken from it before they are made, and made by our client. */
export const CLOSED_BROWSER = [
  ...LEAN_BROWSER,
  // Every name and address is mapped away, that of a proxy that does not exist too.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=socks5://nowhere.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  // WebRTC sends by itself, to addresses that no resolver sees. Two names: the headless shell's, and Chromium's.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  `--disable-blink-features=${ABSENT.join(',')}`,
  '--block-new-web-contents',
  '--no-pings',
  '--disable-background-networking',
  '--disable-domain-reliability',
]
