import { compose, type ComposeNeeds } from '../src/app/compose'
import { readConfig } from '../src/app/config'

/** Answers every property and every call with itself: modules only store what they are given. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, property) => (property === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
})

/** The modules of the service as it starts without variables, without a database behind them. */
export const composed = () => {
  const config = readConfig({})
  const get = (_target: object, name: string) => (name === 'config' ? config : anything)
  return compose(new Proxy({}, { get }) as ComposeNeeds).modules
}
