import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyEventType } from '#kernel/event'
import { ownStreams } from '../src/adapters/event-store/esdb/event-store'
import { composed } from './composed'

const root = join(process.cwd(), 'src/modules')

const sourcesOf = (module: string): { path: string; text: string }[] =>
  readdirSync(join(root, module), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => ({ path: join(root, module, name), text: readFileSync(join(root, module, name), 'utf8') }))

const streamsIn = (module: string): string => {
  const code = sourcesOf(module).map(({ text }) => text)
  const names = ownStreams.filter((prefix) => code.some((text) => text.includes(`\`${prefix}\${`)))
  if (names.length === 0) throw new Error(`No stream of ${module} is among ${ownStreams}`)
  return names.map((name) => `\`${name}…\``).join(', ')
}

const declaration = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+) = eventType\(/g

/** The first sentence of the comment above each event type, by the name of its constant. */
const sentencesIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(declaration)].map(([, comment = '', name = '']) => {
      const words = comment.replaceAll(/\s*\n \* /g, ' ').trim()
      return [name, /^.*?\.(?= |$)/.exec(words)?.[0] ?? words]
    }),
  )

const isEventType = (value: unknown): value is AnyEventType =>
  typeof value === 'function' && 'type' in value && 'schema' in value

type DocumentedEvent = { type: string; sentence: string }

const eventsOf = async (module: string): Promise<DocumentedEvent[]> => {
  const found: DocumentedEvent[] = []
  for (const { path, text } of sourcesOf(module).filter((source) => source.text.includes(' = eventType('))) {
    const sentences = sentencesIn(text)
    const exported = (await import(path)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      if (!isEventType(value) || !text.includes(`const ${name} = eventType(`)) continue
      const sentence = sentences.get(name)
      if (!sentence) throw new Error(`${name} needs a comment that says what has happened`)
      found.push({ type: value.type, sentence })
    }
  }
  return found.toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

const head = `# Events

Written by \`npm run docs:events\` from the code; a test compares it. Only orders, payment attempts, refunds and families' credit are
event-sourced. A module appends only its own events, to streams of one kind. Views and reactors are named by who reads the event.`

export const eventsPage = async (): Promise<string> => {
  const modules = composed()
  const readersOf = (type: string) => [
    ...modules.flatMap(({ views }) =>
      views
        .filter(({ events }) => events.some((event) => event.type === type))
        .map(({ table }) => `view \`${table}\``),
    ),
    ...modules.flatMap(({ reactors }) =>
      reactors.filter(({ types }) => types.includes(type)).map(({ name }) => `reactor \`${name}\``),
    ),
  ]
  const sections: string[] = []
  for (const { name } of modules) {
    const events = await eventsOf(name)
    if (events.length === 0) continue
    const rows = events.map(
      ({ type, sentence }) => `| \`${type}\` | ${sentence} | ${readersOf(type).join(', ')} |`,
    )
    sections.push(
      `## ${name}\n\nStreams ${streamsIn(name)}, written by the module \`${name}\`.\n\n| Event | What has happened | Read by |\n|---|---|---|\n${rows.join('\n')}`,
    )
  }
  const journals = modules.flatMap((module) => module.journals ?? []).map(({ name }) => `\`${name}\``)
  return `${head}\nThe journal ${journals.join(', ')} reads every event.\n\n${sections.join('\n\n')}\n`
}
