// `npm run test:browsers`: a parent's path in Firefox, and in WebKit by WebKitGTK's MiniBrowser, where they are installed
// (Debian: firefox-esr, webkit2gtk-driver, xvfb). What is not installed is named. BROWSER_PICTURES is a folder for a
// picture of every screen that was read.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)

const canBeRun = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const whereIs = (program) =>
  process.env.PATH.split(delimiter)
    .map((folder) => join(folder, program))
    .find(canBeRun)

const browsers = [
  { name: 'Firefox', programs: { BROWSER_FIREFOX: ['firefox-esr', 'firefox'] } },
  {
    name: 'WebKit',
    programs: { BROWSER_WEBKIT_DRIVER: ['WebKitWebDriver'], BROWSER_XVFB: ['Xvfb'] },
  },
]

const variables = {}
const missing = []
for (const { name, programs } of browsers) {
  const found = Object.entries(programs).map(([variable, names]) => [
    variable,
    process.env[variable] || names.map(whereIs).find(Boolean),
    names,
  ])
  const absent = found.filter(([, path]) => !path).map(([, , names]) => names.join(' or '))
  if (absent.length > 0) missing.push(`${name}: not installed: ${absent.join(', ')}`)
  else for (const [variable, path] of found) variables[variable] = path
}

const nothing = { well: true, passed: 0, failed: 0, skipped: [] }
const isThere = Object.keys(variables).length > 0
if (isThere) await ensureBuilt()
const result = isThere
  ? await runTests(['--selectProjects', 'browsers', '--testTimeout', '60000'], variables)
  : nothing
tell({ ...result, skipped: missing })
if (!isThere) process.exitCode = 0
