module.exports = '/drawing.svg'
