import { compose, type ComposeNeeds } from '../src/app/compose'
import { readConfig } from '../src/app/config'

/** Answers every property and call with itself: modules only store what they get. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, property) => (property === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
})

export const composed = () => {
  const config = readConfig({})
  const get = (_target: object, name: string) => (name === 'config' ? config : anything)
  return compose(new Proxy({}, { get }) as ComposeNeeds).modules
}
