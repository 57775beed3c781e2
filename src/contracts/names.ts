export { classNamed } from '#kernel/class-name'
export { foldedName, foldedWords } from '#kernel/folded-name'
export { internationalPhone } from '#kernel/phone-number'
