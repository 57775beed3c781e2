import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from './root.mjs'

const files = readdirSync(join(root, 'tests'), { recursive: true })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .toSorted()
  .map((name) => join('tests', name))

// Run by `npm run test:eventstore`, of which `.ci/run` takes the contract and six stories.
const isOfTheStore = (file) => /\.esdb[.-]|other-store|event-store-away/.test(file)

// Slow: the demonstration, recorded replies, followers of the store, attacks, crashes, outages, races, large case tables, commands as
// processes, other versions, and browser walks outside tests/walks.
const isLong = (file) =>
  /^tests\/(?:abuse|crash|survival)\//.test(file) ||
  /\/app\/(?:archive|commands-|keeping|lost-jobs|postgres-versions|retention|school-id|payments-once)/.test(
    file,
  ) ||
  /(?:changed-orders|card-refund-owed|random-history|races|under-load|cut-off|-crash|sign-in-budget)\.int\.test/.test(
    file,
  ) ||
  /\/(?:embedded-postgres|queue-redis|transfers-month|interleavings)/.test(file) ||
  /\/(?:demo-school|large-demo|linear-folds|recorded-replies|follower|projector|unhandled-rejection)\./.test(
    file,
  ) ||
  (file.endsWith('.e2e.test.ts') && !file.startsWith('tests/walks/'))

const isForOtherBrowsers = (file) => file.endsWith('.browser.test.ts')

/** Tests of properties, which the nightly tier tries more often (`tests/support/tries.ts`). */
const triesMore = (file) => readFileSync(join(root, file), 'utf8').includes('/support/tries')

/** An entry of tests/entries loads the modules once for the stories that it requires. */
const storiesOf = (entry) =>
  [...readFileSync(join(root, entry), 'utf8').matchAll(/require\('\.\.\/(.+)'\)/g)].map(
    ([, path]) => `tests/${path}${extname(entry)}`,
  )
const isEntry = (file) => file.startsWith('tests/entries/')
const stories = new Set(files.filter(isEntry).flatMap(storiesOf))

export const storeTests = files.filter(isOfTheStore)
export const nightlyTests = files.filter((file) => isLong(file) || triesMore(file))
const ofTheDay = files.filter((file) => !isOfTheStore(file) && !isLong(file) && !isForOtherBrowsers(file))
export const everydayTests = ofTheDay.filter((file) => !stories.has(file))
/** The same tests, each story by itself. */
export const everydayStories = ofTheDay.filter((file) => !isEntry(file))
