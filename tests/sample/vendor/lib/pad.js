exports.leftPad = (text, width) => text.padStart(width);
