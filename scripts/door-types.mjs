// `node scripts/door-types.mjs`: every function behind a module's door declares what it returns.
import { readdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { API, SignatureKind } from 'typescript/unstable/sync'

const api = new API({ cwd: process.cwd() })
const config = resolve('src/tsconfig.json')
const { checker, program } = api.updateSnapshot({ openProjects: [config] }).getProject(config)
const seen = new Set()

const callOf = (type) => checker.getSignaturesOfType(type, SignatureKind.Call)[0]

/** Members of an object of ours, not of a promise, an array or a package. */
const membersOf = (type) =>
  type.getSymbol()?.declarations[0]?.path.startsWith(resolve('src'))
    ? checker.getPropertiesOfType(type).map((member) => [member.name, checker.getTypeOfSymbol(member)])
    : []

/** A function that makes an object of functions, as a module does, may leave it to them. */
const undeclared = (type, name, mayMake = false) => {
  const call = callOf(type)
  if (seen.has(type.id) || call?.declaration?.resolve().type) return []
  seen.add(type.id)
  const members = membersOf(call ? checker.getReturnTypeOfSignature(call) : type)
  if (call && !(mayMake && members.some(([, member]) => callOf(member))))
    return [`${relative('', call.declaration.path)}: ${name}`]
  return members.flatMap(([key, member]) => undeclared(member, `${name}.${key}`))
}

const doors = readdirSync('src/modules').map((module) => `src/modules/${module}/index.ts`)
const missing = doors.flatMap((door) =>
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(resolve(door))))
    .flatMap((one) => undeclared(checker.getTypeOfSymbol(one), one.name, true)),
)
api.close()
// On stdout: the compiler sometimes writes "context canceled" to stderr as it closes.
for (const one of missing) console.log(`${one} does not declare what it returns`)
process.exitCode = missing.length > 0 || doors.length === 0 ? 1 : 0
