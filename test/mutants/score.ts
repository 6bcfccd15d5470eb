/** The part of Stryker's report that counts. */
export type Report = { files: Record<string, { mutants: { status: string }[] }> }

/** What became of the mutants of a room or of a file. `unnoticed` were tried in vain, `untested` are reached by no test. */
export type Score = { name: string; files: number; mutants: number; unnoticed: number; untested: number; score: number }

/** A mutant counts as noticed when a test fails with it, or does not end. */
const NOTICED = new Set(['Killed', 'Timeout'])
/** Mutants that no test can try: left out as wording, or code that no longer compiles. */
const NOT_TRIED = new Set(['Ignored', 'CompileError', 'RuntimeError', 'Pending'])

/** Returns the score of a report: how many of a hundred mutants the tests notice. A file without mutants has 100. */
export function scoreOf(name: string, { files }: Report): Score {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const tried = statuses.filter((status) => !NOT_TRIED.has(status))
  const count = (wanted: string) => tried.filter((status) => status === wanted).length
  const noticed = tried.filter((status) => NOTICED.has(status)).length
  const score = tried.length === 0 ? 100 : (100 * noticed) / tried.length
  const unnoticed = count('Survived')
  return {
    name,
    files: Object.keys(files).length,
    mutants: tried.length,
    unnoticed,
    untested: count('NoCoverage'),
    score,
  }
}

/** Returns a Markdown table of scores, with their sum in the last line. */
export function tableOf(scores: readonly Score[]): string {
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0)
  const mutants = sum((score) => score.mutants)
  const noticed = sum((score) => score.mutants - score.unnoticed - score.untested)
  const all: Score = {
    name: 'all',
    files: sum((score) => score.files),
    mutants,
    unnoticed: sum((score) => score.unnoticed),
    untested: sum((score) => score.untested),
    score: mutants === 0 ? 100 : (100 * noticed) / mutants,
  }
  const lines = [...scores, all].map(
    (row) =>
      `| ${row.name} | ${row.files} | ${row.mutants} | ${row.unnoticed} | ${row.untested} | ${row.score.toFixed(1)} |`,
  )
  return ['| Room | Files | Mutants | Unnoticed | Untested | Score (%) |', '|---|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
