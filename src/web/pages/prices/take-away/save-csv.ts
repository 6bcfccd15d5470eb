import { csvOf } from './csv.ts'

/** Saves rows as a file. */
export function saveCsv(name: string, rows: unknown[][]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
