import { join } from 'node:path'
import { root } from './root.mjs'

const page = (name) => join(root, 'web/pages', `${name}.tsx`)
const homes = ['parent/home', 'teacher/home'].map(page)
const hatch = page('serve/hatch-door')

/** Those who begin with another page than a family, by the name that the parts have which they share with families. */
const others = { sign: [page('portal/portal-entry')], office: [page('admin/console')] }

/** What every page needs comes first: a chunk then imports none that is made of later ones. */
const names = ['app', 'family-sign-office', 'family-sign', 'family-office', 'family', 'opened', 'office']

/** Switches and radio buttons come with all that they are made of, as one file instead of eight; dialogs as one more. */
const ofHeadlessUi = [
  { name: 'controls', test: /@headlessui\/react\/dist\/components\/(switch|radio-group)\//, priority: 2 },
  { name: 'dialogs', test: /@headlessui\/react\/dist\/components\/dialog\//, priority: 1 },
]

const isOurs = (id) => !id.includes('/node_modules/')

/**
 * Puts what the application's entry needs into one file, and what a family's home needs besides into at most five, by
 * whether the sign-in page and the office need it too. By itself the bundler makes a file for each set of pages that
 * share a module: 31 requests on a phone's slow line instead of 6, and 7 kB more, as small files are gzipped less well.
 * What several sections of the office share is two files more, one of what families or the hatch open too; a library
 * that is needed besides, and what needs it, stays by itself: nobody fetches it for the sake of the rest.
 *
 * @returns Vite's plugin that reads the graph of modules, and the groups of Rolldown's `codeSplitting`.
 */
export const sharedChunks = () => {
  const chunkOf = new Map()
  const plugin = {
    name: 'shared-chunks',
    apply: 'build',
    buildEnd() {
      const entry = [...this.getModuleIds()].filter((id) => id.endsWith('web/index.html'))
      const app = needed(this, entry)
      const home = needed(this, homes)
      const further = Object.entries(others).map(([name, pages]) => [
        name,
        needed(this, withSections(this, pages)),
      ])
      for (const id of [...app, ...home]) {
        const sharing = further.filter(([, needs]) => needs.has(id)).map(([name]) => name)
        if (!homes.includes(id)) chunkOf.set(id, app.has(id) ? 'app' : ['family', ...sharing].join('-'))
      }
      const notOfOffice = needed(this, everOpenedFrom(this, [...homes, hatch]))
      const office = partsThatNeed(this, openedFrom(this, others.office))
      const known = new Set(chunkOf.keys())
      const signIn = needed(this, others.sign)
      const isLight = (id) => [...needed(this, [id])].every((one) => isOurs(one) || known.has(one))
      for (const [id, parts] of office)
        if (parts > 1 && !known.has(id) && !signIn.has(id) && isLight(id))
          chunkOf.set(id, notOfOffice.has(id) ? 'opened' : 'office')
    },
  }
  const groups = names.map((name, rank) => ({
    name,
    test: (id) => chunkOf.get(id) === name,
    priority: names.length - rank + ofHeadlessUi.length,
    // What these need besides and is not theirs stays where it is.
    includeDependenciesRecursively: !['opened', 'office'].includes(name),
  }))
  return { plugin, groups: [...groups, ...ofHeadlessUi] }
}

/** These modules and all that they import at once. */
const needed = (graph, ids, found = new Set()) => {
  for (const id of ids) {
    if (found.has(id)) continue
    found.add(id)
    needed(graph, graph.getModuleInfo(id)?.importedIds ?? [], found)
  }
  return found
}

/** What these pages fetch when it is opened: tabs, sections, dialogs. */
const openedFrom = (graph, pages) =>
  pages.flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

/** The same, and what is opened from there, and so on: a dialog of a tab. */
const everOpenedFrom = (graph, pages, found = new Set(pages)) => {
  for (const id of openedFrom(graph, [...needed(graph, pages)]))
    if (!found.has(id)) everOpenedFrom(graph, [id], found.add(id))
  return found
}

const withSections = (graph, pages) => [...pages, ...openedFrom(graph, pages)]

/** How many of these parts need each module. */
const partsThatNeed = (graph, parts) => {
  const counts = new Map()
  for (const part of parts) for (const id of needed(graph, [part])) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
