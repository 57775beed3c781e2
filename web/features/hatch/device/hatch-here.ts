// Not among the keys that go with a sign-out: marks that wait stay, and are asked about at the next one.
const key = 'hatch-on-this-device'

/** Whether the hatch was ever open on this device, so that marks may wait here. */
export const isHatchHere = (): boolean => localStorage.getItem(key) !== null

export const noteHatchHere = (): void => localStorage.setItem(key, 'yes')
