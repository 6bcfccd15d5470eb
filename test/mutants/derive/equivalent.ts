/** Mutants that change nothing visible, by what `described` calls them, and why. They are not tried. */
export const EQUIVALENT: { file: string; what: string; why: string }[] = [
  {
    file: 'src/accounts/passkeys/sign-in-with-passkey.ts',
    what: '…passkey, credential)) if (⟦!account || !credential || !used → !used⟧',
    why: 'a passkey is used only where it exists, and it exists only with its account',
  },
  {
    file: 'src/audit/list-actions.ts',
    what: '…entriesOf(sql, filter, PAGE + ⟦1 → 2⟧',
    why: 'any more than a page say that there is another one',
  },
  {
    file: 'src/prices/staging/compare-store.ts',
    what: '…x<ResourceName[]>` select ⟦distinct → ⟧',
    why: 'what reads the resources takes each once',
  },
]
