/** Whether this browser has passkeys that work at a host; a host name in place of null says that they are offered there. */
export const passkeysWorkHere = (host: string | null): boolean =>
  host !== null && typeof PublicKeyCredential === 'function' && location.hostname === host

const TEXTS: Record<string, string> = {
  NotAllowedError: 'Nothing was done: it was cancelled, or it took too long. Try again.',
  InvalidStateError: 'This device has a passkey of your account already.',
  ConstraintError:
    'This device cannot recognize you. Set up a PIN, a fingerprint or your face there, or use another device.',
  NotSupportedError: 'This device cannot make a passkey for this service. Use another device.',
  SecurityError: 'The browser allows no passkeys at this address.',
}

/** Returns what the browser or the device refused, in words; any other error as it is. */
export function inWords(error: Error): Error {
  const text = TEXTS[error.name]
  return text === undefined ? error : new Error(text, { cause: error })
}

/** Whether nothing is to be said: something else was asked of the device, or the page was left. */
export const isStopped = (error: Error): boolean => error.name === 'AbortError'
