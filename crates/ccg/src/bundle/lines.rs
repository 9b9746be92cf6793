//! Reads N-Quads line by line, with line numbers. After a line with a syntax error, reading continues with the next one.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use oxrdf::Quad;
use oxttl::NQuadsParser;

use super::LINE_BYTES;
use super::content::said;

/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;

/// One statement and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuadLine {
    /// The line, from 1.
    pub line: u64,
    /// The statement.
    pub quad: Quad,
}

/// A line that gives no statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    /// The line, from 1.
    pub line: u64,
    /// The letter in it, from 1, if one is to blame.
    pub column: Option<u64>,
    /// What is the matter.
    pub message: String,
    /// Whether nothing can be read after it.
    pub fatal: bool,
}

impl fmt::Display for LineFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(formatter, "{}:{column}: {}", self.line, self.message),
            None => write!(formatter, "{}: {}", self.line, self.message),
        }
    }
}

impl std::error::Error for LineFault {}

/// The statements of a text, made as they are asked for.
pub struct QuadLines {
    reader: BufReader<Box<dyn Read + Send>>,
    buffer: Vec<u8>,
    line: u64,
    ended: bool,
}

impl QuadLines {
    /// The statements of a text.
    pub fn new(reader: Box<dyn Read + Send>) -> Self {
        Self {
            reader: BufReader::with_capacity(CHUNK, reader),
            buffer: Vec::new(),
            line: 0,
            ended: false,
        }
    }

    /// Reads the next line, with its end if it has one; `false` after the last.
    fn next_line(&mut self) -> Result<bool, LineFault> {
        self.buffer.clear();
        self.line += 1;
        let fault = |line, message| LineFault {
            line,
            column: None,
            message,
            fatal: true,
        };
        let limit = LINE_BYTES as u64 + 1;
        let read = (&mut self.reader).take(limit).read_until(b'\n', &mut self.buffer);
        let count = read.map_err(|error| fault(self.line, said(&error)))?;
        if count > LINE_BYTES {
            return Err(fault(self.line, format!("the line is longer than {LINE_BYTES} bytes")));
        }
        Ok(count > 0)
    }

    /// The statement on the line that was read, if it holds one.
    fn parse(&self) -> Result<Option<Quad>, LineFault> {
        if matches!(self.buffer.trim_ascii_start().first(), None | Some(b'#')) {
            return Ok(None);
        }
        let mut found = None;
        for quad in NQuadsParser::new().for_slice(&self.buffer) {
            found = Some(quad.map_err(|error| LineFault {
                line: self.line,
                column: Some(error.location().start.column + 1),
                message: error.message().to_owned(),
                fatal: false,
            })?);
        }
        Ok(found)
    }
}

impl Iterator for QuadLines {
    type Item = Result<QuadLine, LineFault>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.next_line() {
                Ok(true) => {}
                Ok(false) => self.ended = true,
                Err(fault) => {
                    self.ended = true;
                    return Some(Err(fault));
                }
            }
            match self.parse() {
                Ok(None) => {}
                Ok(Some(quad)) => return Some(Ok(QuadLine { line: self.line, quad })),
                Err(fault) => return Some(Err(fault)),
            }
        }
        None
    }
}
