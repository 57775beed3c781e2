import { AsyncLocalStorage } from 'node:async_hooks'

type Context = AsyncLocalStorage<unknown>

const used = new Set<Context>()
const { run, enterWith } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (this: Context, ...given: unknown[]) {
  used.add(this)
  return Reflect.apply(run, this, given)
} as typeof run
AsyncLocalStorage.prototype.enterWith = function (this: Context, store) {
  used.add(this)
  Reflect.apply(enterWith, this, [store])
}

/**
 * Ends every asynchronous context that was used since the last call. Jest makes one for each test file and never ends
 * it, and Node 20 looks at all of them at every promise: after a hundred files a promise costs two hundred times as
 * much. So the test environments end them with their file.
 */
export const endContexts = (): void => {
  for (const context of used) context.disable()
  used.clear()
}
