import { HOUR } from '../../instant.ts'

/** A resumed session shows no certificate, so after this long a connection begins with a whole handshake again. */
const VERIFIED_FOR_MS = HOUR
/** A session takes 2 to 4 KB. */
const MAX_SESSIONS = 2_000

type Session = { ticket: Buffer; verifiedAt: number }

/** What one endpoint's next connection may begin with. */
export type KeptSession = {
  usable(): Buffer | undefined
  /** @param isVerified the connection it came on showed a certificate */
  keep(ticket: Buffer, isVerified: boolean): void
  forget(): void
}

/**
 * TLS sessions by endpoint, from one round to the next: a resumed one spares both sides the certificate. It binds to no
 * address, and only whoever has the host's key can resume it; the address is checked for each connection all the same.
 */
export function createTlsSessions(now: () => number = () => performance.now()) {
  const sessions = new Map<string, Session>()
  return {
    of: (key: string): KeptSession => ({
      usable() {
        const session = sessions.get(key)
        return session && now() - session.verifiedAt < VERIFIED_FOR_MS ? session.ticket : undefined
      },
      keep(ticket, isVerified) {
        const verifiedAt = isVerified ? now() : sessions.get(key)?.verifiedAt
        if (verifiedAt === undefined) return
        sessions.delete(key)
        sessions.set(key, { ticket, verifiedAt })
        const [oldest] = sessions.keys()
        if (sessions.size > MAX_SESSIONS) sessions.delete(oldest!)
      },
      forget: () => void sessions.delete(key),
    }),
  }
}
