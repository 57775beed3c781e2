import type { RollChild } from './roll-plan.decide'

const phoneKey = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-9)
const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Children whose guardian is the same person as far as the roll says: the same e-mail address, else the same phone, else the same
 * name. Two addresses are never one family. Who has no address belongs to the one family with this phone, and who has neither to
 * others that have neither; a name alone is not enough to join those who can be reached.
 */
export const familiesOf = (children: readonly RollChild[]): RollChild[][] => {
  const byEmail = new Map<string, RollChild[]>()
  const byPhone = new Map<string, RollChild[]>()
  const byName = new Map<string, RollChild[]>()
  const alone: RollChild[][] = []
  for (const child of children) {
    const { guardianName: name, guardianEmail: email, guardianPhone: phone } = child
    if (email) addTo(byEmail, email.toLowerCase(), child)
    else if (phone) addTo(byPhone, phoneKey(phone), child)
    else if (name) addTo(byName, nameKey(name), child)
    else alone.push([child])
  }
  const ofPhone = familiesOfPhones([...byEmail.values()])
  const phoneOnly: RollChild[][] = []
  for (const [phone, found] of byPhone) {
    const families = ofPhone.get(phone)
    if (families?.size === 1) [...families][0]!.push(...found)
    else phoneOnly.push(found)
  }
  return [...byEmail.values(), ...phoneOnly, ...byName.values(), ...alone]
}

const addTo = (map: Map<string, RollChild[]>, key: string, child: RollChild): void => {
  const found = map.get(key)
  if (found) found.push(child)
  else map.set(key, [child])
}

const familiesOfPhones = (families: readonly RollChild[][]): Map<string, Set<RollChild[]>> => {
  const found = new Map<string, Set<RollChild[]>>()
  for (const family of families)
    for (const { guardianPhone } of family)
      if (guardianPhone)
        found.set(phoneKey(guardianPhone), (found.get(phoneKey(guardianPhone)) ?? new Set()).add(family))
  return found
}
