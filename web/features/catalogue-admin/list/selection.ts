/** The chosen ids with one switched on or off. */
export const toggled = <Id>(chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Only those chosen ids that are still shown: what is filtered away is never acted on unseen. */
export const stillShown = <Id>(chosen: ReadonlySet<Id>, shown: Id[]): Id[] =>
  shown.filter((id) => chosen.has(id))
