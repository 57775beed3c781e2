// `node scripts/walls.mjs [--json]`: holds the imports of this folder against .dependency-cruiser.cjs.
import { createRequire } from 'node:module'
import swc from '@swc/core'
import { cruise, format } from 'dependency-cruiser'

// The cruiser's parser takes every file for plain TypeScript; JSX would stop it.
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })

const { forbidden, options } = createRequire(`${process.cwd()}/`)('./.dependency-cruiser.cjs')
const rooms = ['src', 'web', 'tests']
const outputType = process.argv.includes('--json') ? 'json' : 'err'
const { output } = await cruise(rooms, {
  ...options,
  ruleSet: { forbidden },
  validate: true,
  outputType: 'json',
})
const { summary } = JSON.parse(output)
const report = outputType === 'json' ? { output } : await format(JSON.parse(output), { outputType })
process.stdout.write(report.output)
process.exitCode = summary.violations.length > 0 || summary.totalCruised === 0 ? 1 : 0
