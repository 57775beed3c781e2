import { TestEnvironment } from 'jest-environment-jsdom'
import { endContexts } from './async-contexts'

// A class, since Jest makes one of it.
export default class extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown()
    endContexts()
  }
}
