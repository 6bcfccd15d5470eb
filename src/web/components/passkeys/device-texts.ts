/** Whether this browser has passkeys that work at a host; a host name in place of null says that they are offered there. */
export const passkeysWorkHere = (host: string | null): boolean =>
  host !== null && typeof PublicKeyCredential === 'function' && location.hostname === host

const TEXTS: Record<string, string> = {
  NotAllowedError: 'Cancelled or timed out. Try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  ConstraintError:
    'This device cannot verify you. Set up a PIN, fingerprint or face recognition on it, or use another device.',
  NotSupportedError: 'This device cannot create a passkey for this service. Use another device.',
  SecurityError: 'Your browser does not allow passkeys at this address.',
}

/** Returns what the browser or the device refused, in words; any other error as it is. */
export function inWords(error: Error): Error {
  const text = TEXTS[error.name]
  return text === undefined ? error : new Error(text, { cause: error })
}

/** Whether nothing is to be said: something else was asked of the device, or the page was left. */
export const isStopped = (error: Error): boolean => error.name === 'AbortError'
