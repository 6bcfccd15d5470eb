/** A sealed text opens only in its place. */
export const sealContext = ({ to, slot }: { to: string | null; slot: string | null }): string => `mail/${to}/${slot}`
