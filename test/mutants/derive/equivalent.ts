/** Mutants that change nothing visible, by what `described` calls them, and why. They are not tried. */
export const EQUIVALENT: { file: string; what: string; why: string }[] = [
  {
    file: 'activities/mail.ts',
    what: '…heartbeat(count) return ⟦performance.now() > end → (performance.now()) >= (end)⟧',
    why: 'a minute ends a millionth of a second sooner',
  },
  {
    file: 'src/accounts/passkeys/sign-in-with-passkey.ts',
    what: '…passkey, credential)) if (⟦!account || !credential || !used → !used⟧',
    why: 'a passkey is used only where it exists, and it exists only with its account',
  },
  {
    file: 'src/catalog/clock/close-as-of.ts',
    what: '…ning = closings.get(sql)) if (⟦(await running) >= at → ((await running)) > (at)⟧',
    why: 'closing an instant once more changes nothing',
  },
  {
    file: 'activities/deliveries.ts',
    what: '…eat(report) { if (⟦performance.now() - beatAt < HEARTBEAT_MS → (performance.now() - beatAt) <= (HEARTBEAT_MS)⟧',
    why: 'two seconds end a millionth of a second later',
  },
  {
    file: 'src/collecting/derive-prices.ts',
    what: '…rce(sql, source.source) if (⟦!stored?.ingestedHash || !stored.ingestedAt → !stored.ingestedAt⟧',
    why: 'a source that is collected is known, and what was ingested is noted with when',
  },
  {
    file: 'src/exports/save-file.ts',
    what: '…wait file.writeFile(part) ⟦await file.sync() → undefined⟧',
    why: 'only a machine that loses power would show it',
  },
  {
    file: 'src/terms/extract/pdf/pdf.ts',
    what: '… - line.y return gap > 0 && ⟦gap < Math.max(above.size, line.size) * 1.6 → (gap) <= (Math.max(above.size, line.size) * 1.6)⟧',
    why: 'no gap of a page is exactly as large as the limit',
  },
  {
    file: 'src/prices/staging/compare-store.ts',
    what: '…x<ResourceName[]>` select ⟦distinct → ⟧',
    why: 'what reads the resources takes each once',
  },
]
