import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileText } from '../support/repository'

const names: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
  ios: 'iOS',
}

test('the README names the browsers that the application is built for', () => {
  const [target] = /target: \[.+\]/.exec(fileText('vite.config.ts'))!
  const builtFor = [...target.matchAll(/'([a-z]+)([\d.]+)'/g)].map(
    ([, name, version]) => `${names[name!]} ${version}`,
  )
  const [said] = /^Supported are .+ every later version/m.exec(fileText('README.md'))!
  expect(said.match(/[A-Z]\w+ \d[\d.]*/gi)).toEqual(builtFor)
})

// The compiler knows what the oldest browser has of the language, not what it has of the browser's own functions. These
// are the ones that come to hand.
const younger =
  /\bURL\.(?:canParse|parse)\(|AbortSignal\.any\(|\.checkVisibility\(|startViewTransition|requestIdleCallback|\.(?:show|toggle)Popover\(|\.requestClose\(|scheduler\.(?:yield|postTask)/

test('no script of the web application asks for what the oldest of them lacks', () => {
  const web = join(__dirname, '../../web')
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:tsx?|js)$/.test(file),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => younger.test(readFileSync(join(web, file), 'utf8')))).toEqual([])
})
