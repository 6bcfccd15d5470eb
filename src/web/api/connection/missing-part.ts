import { createFlag } from './flag.ts'

const { is, subscribe, set } = createFlag()

/** Whether a part of the app is gone from the service: a newer version was installed while this tab was open. */
export const missingPart = { is, subscribe, notice: (): void => set(true) }
