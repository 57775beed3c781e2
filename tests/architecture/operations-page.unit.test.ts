import { readdirSync } from 'node:fs'
import { variableNames } from '../../src/app/config'
import { anchorsOf, fileIsThere, fileText, sectionUnder, yamlFile } from '../support/repository'

type Alerts = {
  groups: {
    name: string
    rules: { alert: string; for: string; labels: { severity: string }; annotations: Record<string, string> }[]
  }[]
}

const page = fileText('docs/operations.md')
const alerts = yamlFile<Alerts>('ops/prometheus/alerts.yml').groups.flatMap(({ rules }) => rules)
const mains = readdirSync('src/app/commands').filter((name) => name.endsWith('-main.ts'))
const scripts = Object.keys((JSON.parse(fileText('package.json')) as { scripts: object }).scripts)
const compose = yamlFile<{ services: object }>('docker-compose.yml')

const all = (pattern: RegExp) => [...new Set([...page.matchAll(pattern)].map(([, name]) => name!))]

/** Words in capitals that are no variable of the service's. */
const foreign = ['SITE_ADDRESS', 'SIGKILL', 'EVENTSTORE_CLUSTER_SIZE', 'EVENTSTORE_MAX_APPEND_SIZE']

test.each(alerts.map((alert) => [alert.alert, alert] as const))(
  '%s names the section that says what to do, and the section names it',
  (name, { annotations, labels }) => {
    const [file, anchor = ''] = annotations.runbook!.split('#')
    expect(file).toBe('docs/operations.md')
    expect(anchorsOf(page)).toContain(anchor)
    const heading = page
      .split('\n')
      .find((line) => anchorsOf(line)[0] === anchor)!
      .replace(/^#+ /, '')
    expect(sectionUnder(page, heading)).toContain(`\`${name}\``)
    expect(annotations.summary).toBeTruthy()
    expect(['critical', 'warning']).toContain(labels.severity)
  },
)

test('every alert that the page speaks of is there', () => {
  expect(all(/`(Tuckshop[A-Z]\w+)`/g).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
})

test('every command of ours is there', () => {
  expect(all(/npm run ([\w:]+)/g).filter((name) => !scripts.includes(name))).toEqual([])
  const programs = [...all(/dist\/server\/([\w-]+)-main\.js/g), ...all(/run\.sh ([\w-]+)/g)]
  expect(programs.filter((name) => !mains.includes(`${name}-main.ts`))).toEqual([])
  const services = all(
    /docker compose (?:logs|exec|stop|run --rm|up --detach) ([a-z]+(?: [a-z]+)*?)(?: node|`| \||$)/gm,
  )
  const named = [...new Set(services.join(' ').split(' '))]
  expect(named.toSorted()).toEqual(['app', 'worker'])
  for (const name of named) expect(compose.services).toHaveProperty([name])
})

test('every variable is one that the service reads', () => {
  const known = [...variableNames, ...foreign]
  expect(all(/`([A-Z]+(?:_[A-Z]+)+)\b/g).filter((name) => !known.includes(name))).toEqual([])
})

test('every link leads somewhere', () => {
  const links = all(/\]\(([^)\s]+)\)/g)
  const broken = links.filter((link) => {
    if (link.startsWith('#')) return !anchorsOf(page).includes(link.slice(1))
    return !fileIsThere(`docs/${link}`)
  })
  expect(broken).toEqual([])
})
