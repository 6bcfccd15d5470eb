import { useEffect, useRef } from 'react'
import { askForPasskey, canAutofill, stopAsking } from '../../api/passkeys.ts'

/** A challenge lasts five minutes: while the page stays open, another is fetched before. */
const RENEWED_EVERY_MS = 4 * 60_000

type SignedPasskey = Awaited<ReturnType<typeof askForPasskey>>

/** Offers passkeys among the suggestions of the address field, as long as nothing else asks for one. */
export function useAutofill(isWanted: boolean, onSigned: (passkey: SignedPasskey) => void): void {
  const signed = useRef(onSigned)
  signed.current = onSigned
  useEffect(() => {
    if (!isWanted) return
    const end = new AbortController()
    const offer = async () => {
      if (!(await canAutofill()) || end.signal.aborted) return
      const passkey = await askForPasskey({ autofill: end.signal })
      if (!end.signal.aborted) signed.current(passkey)
    }
    // Without it people sign in as before: whatever fails here is said when they ask for it.
    const offerQuietly = () => void offer().catch(() => {})
    offerQuietly()
    const timer = setInterval(offerQuietly, RENEWED_EVERY_MS)
    return () => {
      end.abort()
      clearInterval(timer)
      void stopAsking().catch(() => {})
    }
  }, [isWanted])
}
