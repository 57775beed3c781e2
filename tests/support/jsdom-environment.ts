import { TestEnvironment } from 'jest-environment-jsdom'
import { endContexts } from './async-contexts'

// A class, since Jest makes one of it.
export default class extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup()
    // jsdom has none; the router needs it as soon as it is imported.
    this.global.TextEncoder = TextEncoder
    // Nor this one, with which a database copies what it keeps.
    this.global.structuredClone = structuredClone
  }

  override async teardown(): Promise<void> {
    await super.teardown()
    endContexts()
  }
}
