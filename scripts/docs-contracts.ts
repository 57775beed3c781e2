// `npm run docs:contracts`: writes docs/contracts.json.
import { writeFileSync } from 'node:fs'
import { contractsPage } from './contracts-page'

writeFileSync('docs/contracts.json', contractsPage())
