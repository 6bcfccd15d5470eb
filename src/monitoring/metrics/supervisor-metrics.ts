import { Counter, Gauge, Registry } from 'prom-client'

type ProcessState = { process: string; up: boolean; restarts: number }

/** Returns the metrics of `npm start` itself: which of its processes run, and how often each was started again. */
export function createSupervisorMetrics(states: () => ProcessState[]): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'pricetape_process_up',
    help: '1 while a process of npm start runs, else 0.',
    labelNames: ['process'],
    registers: [registry],
    collect() {
      for (const { process, up } of states()) this.set({ process }, up ? 1 : 0)
    },
  })
  new Counter({
    name: 'pricetape_process_restarts_total',
    help: 'How often npm start has started a process again, since npm start began.',
    labelNames: ['process'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { process, restarts } of states()) this.inc({ process }, restarts)
    },
  })
  return registry
}
