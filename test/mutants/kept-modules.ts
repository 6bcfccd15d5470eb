import { inject, vi } from 'vitest'
import { VitestTestRunner } from 'vitest/runners'

declare module 'vitest' {
  interface ProvidedContext {
    /** What Stryker's runner provides: whether the mutant takes effect when modules load, or when tests run. */
    mutantActivation?: 'static' | 'runtime'
    globalNamespace?: string
  }
}

type Modules = { getModuleById(id: string): object | undefined; invalidateModule(module: object): void }
type StrykerGlobal = { activeMutant?: string }

let isLoadedWithMutant = false

/** Loads each file of tests again, and the product only where a mutant takes effect, or took effect, as it loads. */
export default class KeptModules extends VitestTestRunner {
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'collect') this.#forget(file)
    return super.importFile(file, source)
  }

  #forget(file: string): void {
    const isStatic = inject('mutantActivation') === 'static'
    if (isStatic || isLoadedWithMutant) vi.resetModules()
    isLoadedWithMutant = isStatic
    const { evaluatedModules } = Reflect.get(this, 'moduleRunner') as { evaluatedModules: Modules }
    const loaded = evaluatedModules.getModuleById(file)
    if (loaded) evaluatedModules.invalidateModule(loaded)
    const stryker = Reflect.get(globalThis, inject('globalNamespace') ?? '') as StrykerGlobal | undefined
    if (stryker && !isStatic) delete stryker.activeMutant
  }
}
