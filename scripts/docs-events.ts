// `npm run docs:events`: writes docs/events.md.
import { writeFileSync } from 'node:fs'
import { eventsPage } from './events-page'

eventsPage().then((page) => writeFileSync('docs/events.md', page))
