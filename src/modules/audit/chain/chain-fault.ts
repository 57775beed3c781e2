type About = { id: string; type: string; stream: string; revision: number }

export type ChainFault =
  | ({ kind: 'edited' | 'moved'; number: number } & About)
  | ({ kind: 'inserted' } & About)
  | { kind: 'removed'; number: number; id: string }
  | { kind: 'numbers-missing'; number: number; until: number }
  /** An earlier export or audit recorded another hash, or the chain is now shorter. */
  | { kind: 'rewritten' | 'cut'; number: number }

const named = ({ id, type, stream, revision }: About) =>
  `${type} (${stream}, revision ${revision}, event ${id})`

export const chainFaultText = (fault: ChainFault): string => {
  switch (fault.kind) {
    case 'edited':
      return `Event number ${fault.number} was changed after it was recorded, or its link of the chain was: ${named(fault)}.`
    case 'moved':
      return `Event number ${fault.number} is in another place than where it was recorded: ${named(fault)}.`
    case 'inserted':
      return `An event was put into the history afterwards: ${named(fault)}.`
    case 'removed':
      return `Event number ${fault.number} (event ${fault.id}) was removed from the history.`
    case 'numbers-missing':
      return `The links ${fault.number} to ${fault.until} of the chain were removed.`
    case 'rewritten':
      return `What was written down earlier has another hash for event number ${fault.number}: it, or something before it, was changed and the chain written anew.`
    case 'cut':
      return `What was written down earlier knows event number ${fault.number}, which the chain does not have any more.`
  }
}
