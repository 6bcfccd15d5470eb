// Light or dark as this browser chose it, before anything is drawn: a page never turns from one into the other. It is a
// file because no script inside a page may run. MantineProvider reads and writes the same key.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
} catch {
  // Storage is switched off: the system decides.
}
